import { spawn } from 'node:child_process'
import { UsageError } from '../../core/index.ts'
import { integer } from '../../options/reading.ts'
import { isCode } from '../input/user-algorithm.ts'
import { EXIT, type Io, type Leave } from '../io.ts'
import { openedFiles } from '../lab/opened-files.ts'
import { assetNames, LAB_PORTS, type OpenedFile, pageFile, serveLab } from '../lab/server.ts'
import { EDITOR_FILES, namedFiles, SERVED_ONLY, singleFile } from '../lab/single-file.ts'
import { writeWhole } from '../terminal/output-file.ts'
import { Verb } from '../verb.ts'

const EXAMPLES = `
Examples:
  conclave lab                 serve the page and open it in a browser
  conclave lab --port 8080
  conclave lab mine.ts                           open your own algorithm
  conclave lab lecture.json                      open a scenario
  conclave lab broken.jsonl                      open a trace of run or check
  conclave lab broken.jsonl mine.ts              the same of your own file
  conclave lab --export lab.html                 one file that works offline
  conclave lab mine.ts --export mine.html        the same, with your own file
  conclave lab --export lab.html --with-editor   with the editor too`

const [USUAL_PORT] = LAB_PORTS
const DEFAULT_PORT = `(default: ${USUAL_PORT}, or the next free one)`

interface Options {
  readonly port?: string
  readonly open: boolean
  readonly export?: string
  readonly withEditor?: true
}

export function labCommand(io: Io, leave: Leave): Verb {
  return new Verb('lab')
    .description('watch, break and share elections in the browser')
    .argument(
      '[file...]',
      'a trace (.jsonl) or a scenario (.json) to open, your own algorithm (.ts)',
    )
    .group('output')
    .option('--port <port>', `port of the page; 0 is any free port ${DEFAULT_PORT}`)
    .option('--no-open', 'do not open a browser')
    .option('--export <file>', 'write the page as one file that works offline')
    .option('--with-editor', 'with --export: include the editor for your own algorithms')
    .about(EXAMPLES)
    .action(async (names: string[], { port, open, export: file, withEditor }: Options) => {
      const opened = await openedFiles(names)
      if (file !== undefined) {
        // Own code needs the compiler, which comes with the editor.
        const own = opened.some(({ name }) => isCode(name))
        const page = await labFile(withEditor === true || own, opened)
        writeWhole(file, page, '--export')
        io.out(`${file}: ${Math.round(page.length / 1024)} KB. Open it in a browser.\n`)
        return
      }
      if (withEditor)
        throw new UsageError(
          '--with-editor',
          'works only with --export.',
          'Add --export lab.html; the served page has the editor in any case.',
        )
      const ports =
        port === undefined ? LAB_PORTS : [integer('--port', port, 0, 65_535, 'a port', 8080)]
      const server = await serveLab(ports, opened)
      const end = interrupted()
      io.out(`The lab is at ${server.address}\n`)
      if (port === undefined && server.port !== USUAL_PORT) io.out(otherAddress(server.port))
      io.out('Ctrl-C ends it.\n')
      if (open) openBrowser(server.address)
      await end
      await server.close()
      leave(EXIT.interrupted)
    })
}

/** What a browser has kept belongs to an address: it is not lost, but it is not here. */
function otherAddress(port: number): string {
  return (
    `Port ${USUAL_PORT} is in use, perhaps by another lab: what you have saved in the browser at ` +
    `that address does not appear at port ${port}.\n`
  )
}

/** The page as one file that works offline, with files that it opens at once. */
async function labFile(withEditor: boolean, opened: readonly OpenedFile[]): Promise<string> {
  const html = pageFile('index.html')
  const known = new Set(assetNames())
  const files = await namedFiles(
    html,
    async (name) => (known.has(name) ? pageFile(`assets/${name}`) : null),
    (name) => !SERVED_ONLY.test(name) && (withEditor || !EDITOR_FILES.test(name)),
  )
  return singleFile({ html, files }, opened.length === 0 ? null : JSON.stringify({ files: opened }))
}

/** Opens a browser on a desktop; a failure is ignored, since the address is printed. */
function openBrowser(address: string): void {
  const desktop = process.platform !== 'linux' || process.env.DISPLAY || process.env.WAYLAND_DISPLAY
  if (!desktop) return
  const [command, ...words] =
    process.platform === 'darwin'
      ? ['open']
      : process.platform === 'win32'
        ? ['cmd', '/c', 'start', '']
        : ['xdg-open']
  spawn(command, [...words, address], { stdio: 'ignore', detached: true })
    .on('error', () => {})
    .unref()
}

function interrupted(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve())
    if (process.env.npm_lifecycle_event === 'start') whenOrphaned(resolve)
  })
}

/** The end of npm ends only the shell between npm and the lab: a shell passes no signal on. */
function whenOrphaned(act: () => void): void {
  const { ppid } = process
  const timer = setInterval(() => {
    if (process.ppid === ppid) return
    clearInterval(timer)
    act()
  }, 500).unref()
}
