// Texts as people write them.
import lodash from "lodash/README.md"
import papaparse from "papaparse/README.md"
import contributing from "../../../../CONTRIBUTING.md"
import readme from "../../../../README.md"

export const documents = { readme, contributing, lodash, papaparse }
