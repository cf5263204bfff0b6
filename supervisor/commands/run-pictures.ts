import { ChoirError } from '@choiros/contract/error.ts'
import type { ComputerCommand } from './context.ts'

export const listPictures: ComputerCommand<'run.pictures'> = async ({ computer }, { run }) => {
  if (computer.queries.run(run) === null) throw new ChoirError('run.unknown', `there is no run ${run}`)
  return computer.queries
    .pictures(run)
    .map(({ moment, app, object, bytes, width, height }) => ({ moment, app, object, bytes, width, height }))
}

/** Only what is a picture of that run: nothing else is given out as one. */
export const showPicture: ComputerCommand<'run.picture'> = async ({ computer }, { run, object }) => {
  if (!computer.queries.pictures(run).some((picture) => picture.object === object))
    throw new ChoirError('object.missing', `the run ${run} has no such picture`)
  const bytes = await computer.objects.get(object)
  return { type: 'image/jpeg', base64: Buffer.from(bytes).toString('base64') }
}
