// Richards: the kernel of an operating system, simulated: tasks with priorities that send packets to each other.
;(function() {
  const IDLE = 0
  const WORKER = 1
  const HANDLER_A = 2
  const HANDLER_B = 3
  const DEVICE_A = 4
  const DEVICE_B = 5

  const FOR_DEVICE = 0
  const FOR_WORK = 1

  // A task's state is made of these.
  const RUNNABLE = 1
  const SUSPENDED = 2
  const HELD = 4

  const WORDS = 4

  class Packet {
    constructor(link, id, kind) {
      this.link = link
      this.id = id
      this.kind = kind
      this.datum = 0
      this.words = [0, 0, 0, 0]
    }
    appendedTo(queue) {
      this.link = null
      if (queue === null) return this
      let last = queue
      while (last.link !== null) last = last.link
      last.link = this
      return queue
    }
  }

  class Task {
    constructor(link, id, priority, queue, work) {
      this.link = link
      this.id = id
      this.priority = priority
      this.queue = queue
      this.work = work
      this.state = queue === null ? SUSPENDED : SUSPENDED | RUNNABLE
    }
    get cannotRun() {
      return (this.state & HELD) !== 0 || this.state === SUSPENDED
    }
    run() {
      let packet = null
      if (this.state === (SUSPENDED | RUNNABLE)) {
        packet = this.queue
        this.queue = packet.link
        this.state = this.queue === null ? 0 : RUNNABLE
      }
      return this.work.run(packet)
    }
    // Who goes on once the packet is here: this task, if it comes before the one that runs.
    receive(running, packet) {
      if (this.queue === null) {
        this.queue = packet
        this.state |= RUNNABLE
        if (this.priority > running.priority) return this
      } else {
        this.queue = packet.appendedTo(this.queue)
      }
      return running
    }
  }

  class Scheduler {
    constructor() {
      this.sent = 0
      this.held = 0
      this.tasks = []
      this.first = null
      this.running = null
    }
    add(id, priority, queue, work) {
      const task = new Task(this.first, id, priority, queue, work)
      this.first = task
      this.tasks[id] = task
      return task
    }
    schedule() {
      let task = this.first
      while (task !== null) {
        if (task.cannotRun) {
          task = task.link
        } else {
          this.running = task
          task = task.run()
        }
      }
    }
    release(id) {
      const task = this.tasks[id]
      task.state &= ~HELD
      return task.priority > this.running.priority ? task : this.running
    }
    hold() {
      this.held++
      this.running.state |= HELD
      return this.running.link
    }
    suspend() {
      this.running.state |= SUSPENDED
      return this.running
    }
    send(packet) {
      this.sent++
      const receiver = this.tasks[packet.id]
      packet.link = null
      packet.id = this.running.id
      return receiver.receive(this.running, packet)
    }
  }

  class Idle {
    constructor(scheduler, count) {
      this.scheduler = scheduler
      this.seed = 1
      this.count = count
    }
    run() {
      this.count--
      if (this.count === 0) return this.scheduler.hold()
      if ((this.seed & 1) === 0) {
        this.seed >>= 1
        return this.scheduler.release(DEVICE_A)
      }
      this.seed = (this.seed >> 1) ^ 0xd008
      return this.scheduler.release(DEVICE_B)
    }
  }

  class Worker {
    constructor(scheduler) {
      this.scheduler = scheduler
      this.receiver = HANDLER_A
      this.letter = 0
    }
    run(packet) {
      if (packet === null) return this.scheduler.suspend()
      this.receiver = this.receiver === HANDLER_A ? HANDLER_B : HANDLER_A
      packet.id = this.receiver
      packet.datum = 0
      for (let i = 0; i < WORDS; i++) {
        this.letter = this.letter === 26 ? 1 : this.letter + 1
        packet.words[i] = this.letter
      }
      return this.scheduler.send(packet)
    }
  }

  class Handler {
    constructor(scheduler) {
      this.scheduler = scheduler
      this.work = null
      this.devices = null
    }
    run(packet) {
      if (packet !== null) {
        if (packet.kind === FOR_WORK) this.work = packet.appendedTo(this.work)
        else this.devices = packet.appendedTo(this.devices)
      }
      if (this.work !== null) {
        const work = this.work
        if (work.datum === WORDS) {
          this.work = work.link
          return this.scheduler.send(work)
        }
        if (this.devices !== null) {
          const device = this.devices
          this.devices = device.link
          device.datum = work.words[work.datum]
          work.datum++
          return this.scheduler.send(device)
        }
      }
      return this.scheduler.suspend()
    }
  }

  class Device {
    constructor(scheduler) {
      this.scheduler = scheduler
      this.packet = null
    }
    run(packet) {
      if (packet !== null) {
        this.packet = packet
        return this.scheduler.hold()
      }
      if (this.packet === null) return this.scheduler.suspend()
      const done = this.packet
      this.packet = null
      return this.scheduler.send(done)
    }
  }

  const packets = (count, id, kind) => {
    let queue = null
    for (let i = 0; i < count; i++) queue = new Packet(queue, id, kind)
    return queue
  }

  const simulate = (count) => {
    const scheduler = new Scheduler()
    scheduler.add(IDLE, 0, null, new Idle(scheduler, count)).state = 0
    scheduler.add(WORKER, 1000, packets(2, WORKER, FOR_WORK), new Worker(scheduler))
    scheduler.add(HANDLER_A, 2000, packets(3, DEVICE_A, FOR_DEVICE), new Handler(scheduler))
    scheduler.add(HANDLER_B, 3000, packets(3, DEVICE_B, FOR_DEVICE), new Handler(scheduler))
    scheduler.add(DEVICE_A, 4000, null, new Device(scheduler))
    scheduler.add(DEVICE_B, 5000, null, new Device(scheduler))
    scheduler.schedule()
    return scheduler
  }

  const { held, sent } = simulate(10_000)
  return { held, sent }
})()
