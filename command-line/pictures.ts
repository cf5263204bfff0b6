import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RunId } from '@choiros/contract/ids.ts'
import type { Client } from './client.ts'

/** Writes the pictures of a run into a folder, and tells where. An app's name is the tree's: it is no path here. */
export async function savePictures(client: Client, run: RunId, folder: string): Promise<string[]> {
  const saved: string[] = []
  for (const { moment, app, object } of await client.run('run.pictures', { run })) {
    const { base64 } = await client.run('run.picture', { run, object })
    mkdirSync(folder, { recursive: true })
    const name = (app ?? 'desktop').replaceAll(/[^a-z0-9-]/gi, '_')
    const file = join(folder, `${name}-${moment}.jpg`)
    writeFileSync(file, Buffer.from(base64, 'base64'))
    saved.push(file)
  }
  return saved
}
