import { createExportFile, openExportFile } from '@choiros/ports/export-file/sqlite.ts'
import type { Machine } from '@choiros/supervisor/computer/machine.ts'
import { createSocketServer } from '@choiros/supervisor/socket/server.ts'
import { listenInHome } from '@choiros/supervisor/socket/listen.ts'
import { openTestHome } from './open-home.ts'

/** A supervisor with its socket inside of this process, on whatever ports a test gives it; without sandboxes. */
export async function startSupervisorHere(
  folder: string,
  overrides: Partial<Machine>,
): Promise<{ stop(): Promise<number> }> {
  const own = openTestHome(folder, overrides)
  const socket = createSocketServer({
    home: own.home,
    dispatcher: own.dispatcher,
    createExportFile,
    openExportFile,
    warn: own.machine.warn,
  })
  const listening = await listenInHome(socket, folder)
  return {
    async stop() {
      listening.stop()
      await listening.close()
      await own.close()
      return 0
    },
  }
}
