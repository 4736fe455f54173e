// Property reads, property writes and method calls on plain objects.
;(function() {
  const account = {
    balance: 100,
    history: { deposits: 0, withdrawals: 0 },
    deposit(amount) {
      this.balance += amount
      this.history.deposits++
      return this
    },
    withdraw(amount) {
      if (amount > this.balance) return this
      this.balance -= amount
      this.history.withdrawals++
      return this
    },
  }
  for (let i = 0; i < 150_000; i++) account.deposit(i % 7).withdraw(i % 5)
  return account.balance * 31 + account.history.deposits + account.history.withdrawals
})()
