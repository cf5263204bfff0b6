import { testModels } from './models.suite.ts'
import { openMemoryModels, type Saying } from './memory.fake.ts'

testModels('memory', async () => {
  let next: Saying = {}
  const asked: string[] = []
  const models = openMemoryModels((request) => {
    asked.push(JSON.stringify(request))
    return next
  })
  return {
    models,
    access: { provider: 'openai-compatible', url: null, key: null, model: 'memory', sees: true },
    say: (saying) => (next = saying),
    asked: () => asked,
    close: async () => {},
  }
})
