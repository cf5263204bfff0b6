/**
 * The system calls no sandbox may make, as a classic BPF program for bubblewrap's --seccomp. Namespaces alone do not
 * cover them: AF_VSOCK ignores --unshare-net, and a tool with the agent's uid could read its memory or take its
 * descriptors.
 */
interface Machine {
  readonly audit: number
  readonly numbers: Readonly<Record<string, number>>
}

const COMMON = {
  pidfd_getfd: 438,
  io_uring_setup: 425,
  io_uring_enter: 426,
  io_uring_register: 427,
  open_tree: 428,
  move_mount: 429,
  fsopen: 430,
  fsconfig: 431,
  fsmount: 432,
  fspick: 433,
  clone3: 435,
  mount_setattr: 442,
}

const MACHINES: Readonly<Record<string, Machine>> = {
  x64: {
    audit: 0xc000003e,
    numbers: {
      ...COMMON,
      ioctl: 16,
      socket: 41,
      socketpair: 53,
      clone: 56,
      ptrace: 101,
      syslog: 103,
      pivot_root: 155,
      chroot: 161,
      acct: 163,
      mount: 165,
      umount2: 166,
      swapon: 167,
      swapoff: 168,
      reboot: 169,
      iopl: 172,
      ioperm: 173,
      init_module: 175,
      delete_module: 176,
      quotactl: 179,
      kexec_load: 246,
      add_key: 248,
      request_key: 249,
      keyctl: 250,
      unshare: 272,
      perf_event_open: 298,
      fanotify_init: 300,
      name_to_handle_at: 303,
      open_by_handle_at: 304,
      setns: 308,
      process_vm_readv: 310,
      process_vm_writev: 311,
      finit_module: 313,
      kexec_file_load: 320,
      bpf: 321,
      userfaultfd: 323,
    },
  },
  arm64: {
    audit: 0xc00000b7,
    numbers: {
      ...COMMON,
      ioctl: 29,
      umount2: 39,
      mount: 40,
      pivot_root: 41,
      chroot: 51,
      quotactl: 60,
      acct: 89,
      unshare: 97,
      kexec_load: 104,
      init_module: 105,
      delete_module: 106,
      syslog: 116,
      ptrace: 117,
      reboot: 142,
      socket: 198,
      socketpair: 199,
      add_key: 217,
      request_key: 218,
      keyctl: 219,
      clone: 220,
      swapon: 224,
      swapoff: 225,
      perf_event_open: 241,
      fanotify_init: 262,
      name_to_handle_at: 264,
      open_by_handle_at: 265,
      setns: 268,
      process_vm_readv: 270,
      process_vm_writev: 271,
      finit_module: 273,
      bpf: 280,
      userfaultfd: 282,
      kexec_file_load: 294,
    },
  },
}

const EPERM = 1
const ENOSYS = 38
const EAFNOSUPPORT = 97

const FAMILIES = { unix: 1, inet: 2, inet6: 10, netlink: 16 }
/** CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET and NEWTIME. */
const NEW_NAMESPACES = 0x7e020080
const TIOCSTI = 0x5412
const TIOCLINUX = 0x541c

const LOAD = 0x20
const JUMP_EQUAL = 0x15
const JUMP_SET = 0x45
const JUMP_AT_LEAST = 0x35
const RETURN = 0x06
const ALLOW = 0x7fff0000
const KILL = 0x80000000
const ERRNO = 0x00050000

const NUMBER = 0
const AUDIT = 4
const argument = (index: number) => 16 + 8 * index

type Instruction = readonly [code: number, jumpTrue: number, jumpFalse: number, value: number]

/** The program for a machine (`process.arch`), or null where we do not know its numbers. */
export function seccompProgram(arch: string): Buffer | null {
  const machine = MACHINES[arch]
  if (machine === undefined) return null
  const { ioctl = -1, socket = -1, socketpair = -1, clone = -1, clone3 = -1, ...forbidden } = machine.numbers
  const program: Instruction[] = [
    [LOAD, 0, 0, AUDIT],
    [JUMP_EQUAL, 1, 0, machine.audit],
    [RETURN, 0, 0, KILL],
    [LOAD, 0, 0, NUMBER],
    // x32 calls have a bit of their own and would slip past every comparison below.
    [JUMP_AT_LEAST, 0, 1, 0x40000000],
    [RETURN, 0, 0, ERRNO | ENOSYS],
    ...Object.values(forbidden).flatMap((number) => whenCall(number, [[RETURN, 0, 0, ERRNO | EPERM]])),
    // The flags of clone3 lie in memory, where a filter cannot look; glibc falls back to clone.
    ...whenCall(clone3, [[RETURN, 0, 0, ERRNO | ENOSYS]]),
    ...whenCall(clone, [
      [LOAD, 0, 0, argument(0)],
      [JUMP_SET, 0, 1, NEW_NAMESPACES],
      [RETURN, 0, 0, ERRNO | EPERM],
      [RETURN, 0, 0, ALLOW],
    ]),
    ...whenCall(ioctl, [
      [LOAD, 0, 0, argument(1)],
      [JUMP_EQUAL, 1, 0, TIOCSTI],
      [JUMP_EQUAL, 0, 1, TIOCLINUX],
      [RETURN, 0, 0, ERRNO | EPERM],
      [RETURN, 0, 0, ALLOW],
    ]),
    ...[socket, socketpair].flatMap((number) => whenCall(number, onlyFamilies())),
    [RETURN, 0, 0, ALLOW],
  ]
  return assemble(program)
}

function whenCall(number: number, then: readonly Instruction[]): Instruction[] {
  return [[JUMP_EQUAL, 0, then.length, number], ...then]
}

function onlyFamilies(): Instruction[] {
  const families = Object.values(FAMILIES)
  return [
    [LOAD, 0, 0, argument(0)],
    ...families.map((family, index): Instruction => [JUMP_EQUAL, families.length - index, 0, family]),
    [RETURN, 0, 0, ERRNO | EAFNOSUPPORT],
    [RETURN, 0, 0, ALLOW],
  ]
}

function assemble(program: readonly Instruction[]): Buffer {
  const bytes = Buffer.alloc(program.length * 8)
  for (const [index, [code, jumpTrue, jumpFalse, value]] of program.entries()) {
    bytes.writeUInt16LE(code, index * 8)
    bytes.writeUInt8(jumpTrue, index * 8 + 2)
    bytes.writeUInt8(jumpFalse, index * 8 + 3)
    bytes.writeUInt32LE(value >>> 0, index * 8 + 4)
  }
  return bytes
}
