import { BENCHES } from './benches.ts'
import { peakMebibytes } from './process-memory.ts'

const [name = '', folder = ''] = process.argv.slice(2)
const bench = await BENCHES[name]?.()
if (bench === undefined) throw new Error(`there is no bench ${name}`)
const section = await bench.run(folder)
const peak = { when: 'peak of the whole bench, ours and raw in one process', mebibytes: peakMebibytes() }
process.send?.({ ...section, memory: [...section.memory, peak] }, () => process.disconnect())
