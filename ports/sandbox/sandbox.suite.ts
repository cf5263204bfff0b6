import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CollectSpec, ExecResult, Sandbox, SandboxHost, SandboxSpec } from './sandbox.ts'

/** The rules of SPEC.md for any provider. Break the provider once and watch it fail. */
export function testSandboxHost(name: string, open: (folder: string) => Promise<SandboxHost>): void {
  describe(`sandbox host ${name}`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'choir-sandbox-'))
    const shared = mkdtempSync(join(tmpdir(), 'choir-shared-'))
    let host: SandboxHost
    let sandbox: Sandbox
    const spec = (more: Partial<SandboxSpec> = {}): SandboxSpec => ({
      name: 'tested',
      role: 'associate',
      mounts: [{ host: shared, guest: '/shared' }],
      scratch: [{ guest: '/stage', bytesMax: 8 * 1024 * 1024 }],
      syscallSocket: null,
      ...more,
    })
    const limits = { cwd: '/tmp', environment: {}, wallClockMs: 10_000, outputBytesMax: 1024 * 1024 }
    const shell = (script: string): Promise<ExecResult> =>
      sandbox.exec({ ...limits, command: ['/bin/sh', '-c', script] })
    const node = (script: string): Promise<ExecResult> =>
      sandbox.exec({ ...limits, command: ['/opt/choir/node', '-e', script] })
    const text = (result: ExecResult) => result.output.toString('utf8')

    beforeAll(async () => {
      process.env.CHOIR_TEST_SECRET = 'planted-secret'
      chmodSync(shared, 0o755) // The sandbox's own user must be able to read what is mounted.
      writeFileSync(join(shared, 'seen.txt'), 'seen')
      host = await open(folder)
      sandbox = await host.create(spec())
    })
    afterAll(async () => {
      await host.close()
      for (const place of [folder, shared]) rmSync(place, { recursive: true, force: true })
      delete process.env.CHOIR_TEST_SECRET
    })

    test('[SB1] nothing of the launcher’s environment is inside', async () => {
      const seen = text(await shell('for f in /proc/[0-9]*/environ; do tr "\\0" "\\n" < $f; done; env'))
      expect(seen).toContain('PATH=')
      expect(seen).not.toContain('planted-secret')
      expect(seen).not.toContain(process.env.HOME === '/home/choir' ? 'impossible' : `HOME=${process.env.HOME}`)
    })

    test('[SB2] host files are not there', async () => {
      const seen = text(
        await shell(`ls -A / ; ls ${tmpdir()} ${process.cwd()} 2>&1; cat /etc/shadow 2>&1; cat /etc/passwd`),
      )
      expect(seen.split('\n')).not.toContain('root')
      expect(seen).not.toContain('choir-shared-')
      expect(seen).toContain('choir:x:1000')
      expect(seen).not.toContain('root:')
    })

    test('[SB3] mounts are read-only, and what the host writes is seen at once', async () => {
      expect(
        text(
          await shell(
            'cat /shared/seen.txt; echo x > /shared/y 2>&1; echo x > /opt/choir/y 2>&1; echo x > /usr/y 2>&1; echo x > /y 2>&1',
          ),
        ),
      ).toMatch(/^seen.*Read-only/s)
      expect(readdirSync(shared)).toEqual(['seen.txt'])
      writeFileSync(join(shared, 'seen.txt'), 'changed')
      expect(text(await shell('cat /shared/seen.txt'))).toBe('changed')
      expect((await shell('echo kept > /stage/f && cat /stage/f')).exitCode).toBe(0)
    })

    test('[SB4] no network: host loopback, other families and abstract sockets are unreachable', async () => {
      const reached: string[] = []
      const tcp = createServer(() => reached.push('tcp')).listen(0, '127.0.0.1')
      const abstract = createServer(() => reached.push('abstract')).listen('\0choir-test')
      await delay(50)
      const { port } = tcp.address() as { port: number }
      const seen = text(
        await node(`const net=require('net');let left=3;const say=(w)=>(e)=>{console.log(w,e.code||'connected');if(--left===0)process.exit()};
        for(const [w,o] of [['tcp',{host:'127.0.0.1',port:${port}}],['abstract',{path:'\\0choir-test'}],['out',{host:'1.1.1.1',port:80}]]){const s=net.connect(o);s.on('connect',()=>say(w)({}));s.on('error',say(w))}
        setTimeout(()=>process.exit(),3000)`),
      )
      tcp.close()
      abstract.close()
      expect(seen).not.toContain('connected')
      expect(reached).toEqual([])
      const families =
        spawnSync('/usr/bin/python3', ['--version']).status === 0
          ? text(await shell('/usr/bin/python3 -c "import socket; socket.socket(40, 1)" 2>&1'))
          : 'Address family not supported'
      expect(families).toMatch(/Address family not supported|not found/)
    })

    test('[SB5] mounting, namespaces and tracing are refused', async () => {
      const seen = text(
        await shell(
          'unshare -U true 2>&1; unshare -m true 2>&1; mount -t tmpfs x /tmp 2>&1; chroot / true 2>&1; grep -E "Seccomp:|NoNewPrivs|CapEff" /proc/self/status',
        ),
      )
      expect(seen).toMatch(/Seccomp:\s+2/)
      expect(seen).toMatch(/NoNewPrivs:\s+1/)
      expect(seen).toMatch(/CapEff:\s+0+\n/)
      expect(seen.match(/not permitted|superuser|denied/g)?.length).toBeGreaterThanOrEqual(3)
    })

    test('[SB6] the agent’s memory and descriptors are closed to tools', async () => {
      const isRoot = process.getuid?.() === 0
      const seen = text(
        await shell(
          'for p in /proc/[0-9]*; do if grep -q agents/guest.mjs $p/cmdline 2>/dev/null; then ls $p/fd 2>&1; head -c 1 $p/mem 2>&1; fi; done',
        ),
      )
      expect(isRoot ? seen : 'denied').toMatch(/denied/)
      expect((await shell('echo still here')).exitCode).toBe(0)
    })

    test('[SB7] a wall clock, a process group and an output limit end every command', async () => {
      const endless = await sandbox.exec({
        ...limits,
        command: ['/bin/sh', '-c', 'sleep 100 & sleep 100'],
        wallClockMs: 300,
      })
      expect([endless.end, text(await shell('ps ax | grep -c "[s]leep 100"')).trim()]).toEqual(['timed-out', '0'])
      const flood = await sandbox.exec({
        ...limits,
        command: ['/bin/sh', '-c', 'yes | head -c 50000000'],
        outputBytesMax: 1000,
      })
      expect([flood.output.length, flood.truncated]).toEqual([1000, true])
      expect((await shell('exit 3')).exitCode).toBe(3)
      expect((await sandbox.exec({ ...limits, command: ['/no/such/program'] })).exitCode).toBe(127)
    })

    test('[SB8] kill leaves no process and no mount', async () => {
      const before = readFileSync('/proc/self/mountinfo', 'utf8')
      const other = await host.create(spec({ name: 'other' }))
      void other.exec({ ...limits, command: ['/bin/sh', '-c', 'exec -a choir-orphan sleep 1000'] })
      expect(host.list().map((item) => item.name)).toContain('other')
      await delay(100)
      await other.kill()
      await delay(100)
      expect(host.list().map((item) => item.name)).not.toContain('other')
      expect(spawnSync('pgrep', ['-f', 'sleep 1000']).status).toBe(1)
      expect(readFileSync('/proc/self/mountinfo', 'utf8')).toBe(before)
      await expect(other.exec({ ...limits, command: ['true'] })).rejects.toMatchObject({ code: 'sandbox.unavailable' })
    })

    test('[SB8] also what is ended in the very moment it starts leaves no process', async () => {
      const mark = `sleep 77.${process.pid}`
      await Promise.all(
        Array.from({ length: process.env.CHOIR_LANE === 'long' ? 60 : 20 }, async (_, index) => {
          await delay(index * 15)
          const ending = new AbortController()
          const command = mark.split(' ')
          const ended = host.runOnce(
            spec({ name: `brief-${index}`, role: 'verifier' }),
            { ...limits, command },
            ending.signal,
          )
          await delay((index * 7) % 30)
          ending.abort()
          await ended.catch(() => {})
        }),
      )
      await delay(300)
      expect(spawnSync('pgrep', ['-f', mark]).status).toBe(1)
    })

    test('[SB9] dial reaches a port inside, and says so where nobody listens', async () => {
      void node(
        'require("net").createServer((s)=>s.end("hello from inside")).listen(4567,"127.0.0.1");setTimeout(()=>process.exit(),5000)',
      )
      await expect.poll(async () => (await sandbox.dial(4567).catch(() => null)) !== null).toBe(true)
      const stream = await sandbox.dial(4567)
      const pieces: Buffer[] = []
      for await (const piece of stream) pieces.push(piece as Buffer)
      expect(Buffer.concat(pieces).toString()).toBe('hello from inside')
      await expect(sandbox.dial(4568)).rejects.toMatchObject({ code: 'sandbox.unavailable' })
    })

    test('[SB10] a verifier has no agent and no socket', async () => {
      const verifier = spec({ name: 'verifier', role: 'verifier' })
      const ok = await host.runOnce(verifier, {
        ...limits,
        command: ['/bin/sh', '-c', 'ls /run 2>&1; ps ax; cat /shared/seen.txt; exit 4'],
      })
      expect([ok.end, ok.exitCode]).toEqual(['exited', 4])
      expect(text(ok)).not.toContain('guest.mjs')
      expect(text(ok)).not.toContain('choir.sock')
      const slow = await host.runOnce(verifier, { ...limits, command: ['sleep', '100'], wallClockMs: 300 })
      expect(slow.end).toBe('timed-out')
    })

    test('[SB11] collect tells what stands below a root, follows no link, and ends at its limits', async () => {
      const collect = (more: Partial<CollectSpec> = {}) =>
        sandbox.collect({
          root: '/stage/c',
          known: new Set(),
          filesMax: 100,
          bytesMax: 1_000_000,
          wallClockMs: 10_000,
          ...more,
        })
      const script = `mkdir -p c/empty c/full c/node_modules c/.git && cd c && printf one > one && printf run > run.sh && chmod 755 run.sh && printf deep > full/deep
        ln -s /etc/passwd out; ln -s full in; ln -s nowhere dangling; mkfifo pipe; printf x > node_modules/x; printf x > .git/x; printf x > "$(printf '\\377')"
        /opt/choir/node -e 'require("net").createServer().listen("/stage/c/socket",()=>process.kill(process.pid,9))'; ls`
      expect(text(await sandbox.exec({ ...limits, cwd: '/stage', command: ['/bin/sh', '-c', script] }))).toMatch(
        /pipe.*socket/s,
      )
      const shown = (await collect()).map(
        ({ path, kind, mode, bytes }) => `${path} ${kind} ${mode} ${bytes?.toString() ?? null}`,
      )
      expect(shown.sort()).toEqual([
        'dangling symlink 777 nowhere',
        'empty folder 755 null',
        'full/deep file 644 deep',
        'in symlink 777 full',
        'one file 644 one',
        'out symlink 777 /etc/passwd',
        'run.sh file 755 run',
      ])
      const one = createHash('sha256').update('one').digest('hex')
      const known = (await collect({ known: new Set([one]) })).find(({ path }) => path === 'one')
      expect(known).toMatchObject({ hash: one, bytes: null, size: 3 })
      await expect(collect({ filesMax: 3 })).rejects.toMatchObject({ code: 'quota.exceeded' })
      await expect(collect({ bytesMax: 5 })).rejects.toMatchObject({ code: 'quota.exceeded' })
      await shell('cd /stage/c && truncate -s 200M sparse')
      await expect(collect()).rejects.toMatchObject({ code: 'quota.exceeded' })
      await expect(collect({ wallClockMs: 1, bytesMax: 1_000_000_000 })).rejects.toMatchObject({
        code: 'sandbox.unavailable',
      })
      await expect(collect({ root: '/nowhere' })).rejects.toMatchObject({ code: 'sandbox.unavailable' })
      expect((await shell('rm -r /stage/c; echo still here')).exitCode).toBe(0)
    })
  })
}
