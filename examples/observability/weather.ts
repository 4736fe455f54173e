// A weather service with stations that take their time.
import { Effect, Schema } from "effect"
import { Tool, Toolkit } from "effect/ai"

class NoStation extends Schema.TaggedError<NoStation>()("NoStation", {
  code: Schema.Literal("NO_STATION"),
  message: Schema.String,
}) {}

export const Weather = Toolkit.make(
  Tool.make("stations.find", {
    description: "Finds the weather station of a city",
    parameters: Schema.Struct({ city: Schema.String }),
    success: Schema.Struct({ station: Schema.Int }),
    failure: NoStation,
  }),
  Tool.make("stations.read", {
    description: "Reads the temperature at a station, in degrees Celsius",
    parameters: Schema.Struct({ station: Schema.Int }),
    success: Schema.Struct({ celsius: Schema.Number }),
  }),
)

const celsius = [-3, 14, 22, 18]
const cities = ["Oslo", "Rome", "Cairo", "Lima"]

export const WeatherLive = Weather.toLayer({
  "stations.find": ({ city }) =>
    Effect.delay(
      cities.includes(city)
        ? Effect.succeed({ station: cities.indexOf(city) })
        : Effect.fail(new NoStation({ code: "NO_STATION", message: `There is no station in ${city}` })),
      20 + 7 * city.length,
    ),
  "stations.read": ({ station }) =>
    // What a handler opens is below the call that it answers.
    Effect.succeed({ celsius: celsius[station]! }).pipe(
      Effect.delay(60 - 10 * station),
      Effect.withSpan("radio", { attributes: { station } }),
    ),
})
