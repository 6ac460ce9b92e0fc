import { batch, effect, signal } from '@preact/signals'
import { currentDocument, prepareDocument } from '../model/document.ts'
import {
  branches,
  compared,
  opening,
  player,
  problem,
  replaceScenario,
  run,
  shown,
} from '../model/lab.ts'
import { codeIn, type LabDocument } from '../model/lab-document.ts'
import { HOME, type Place, place } from '../model/place.ts'
import { SPEEDS } from '../model/player.ts'
import { type Exhibit, exhibitNamed, exhibitOf, gallery, slugOf } from '../panel/gallery.ts'
import { embedded } from '../view/layout.ts'
import { keepSignal } from './kept.ts'
import {
  addressIn,
  fragmentFor,
  type LinkedMoment,
  lettersOf,
  linkedDocument,
  type PageAddress,
} from './link.ts'
import { mayRun, withdrawQuestion } from './notices.tsx'
import { pageTitle } from './title.ts'

/** Where to go: a place, or an exhibit of the gallery in the lab. */
export type Destination = Place | { readonly name: 'exhibit'; readonly exhibit: string }

/** Milliseconds between two changes of the moment in the address. */
const PAUSE = 400
const PAUSE_PLAYING = 1000
/** More letters than an address should have: the browser's history keeps them instead. */
const ADDRESS_LENGTH_MAX = 200_000

const OPENING = 'Opening the link ...'
const UNREADABLE = 'The link cannot be read: it may have been cut when it was copied.'
const NO_COMPILER = 'The link has own code, and there is no compiler here: use --with-editor.'

/** What the browser keeps for an entry of its history, beside the address. */
interface EntryState {
  /** The page wrote the entry: its code has been allowed to run. */
  readonly ours: true
  /** A document that is too long for an address. */
  readonly letters?: string
}

/** Shows what was prepared; returns whether the address is then true. */
type Shower = () => boolean

/** The run that the page starts with. */
const FIRST = branches.peek()
/** What makes a new entry of the history when it changes. */
let view: readonly unknown[] = []
/** The address of the current entry without the moment; null while there is none that is true. */
let entry: PageAddress | null = null
let state: EntryState = { ours: true }
let moment: LinkedMoment | null = null
/** Whether a change of the view is the browser's: by reload, back or forward. */
let restoring = false
/** Whether the next change of the view belongs to the current entry. */
let replacing = false
/** What was being restored or written before this number changed is pointless. */
let generation = 0
let writing: Promise<void> = Promise.resolve()
let timer: ReturnType<typeof setTimeout> | undefined
/** When the moment was written. */
let written = 0
let typedIn: Element | null = null

/** Shows another place of the page, as an entry of the history. */
export function goTo(destination: Destination): void {
  generation++
  withdrawQuestion()
  problem.value = null
  if (destination.name !== 'exhibit') {
    place.value = destination
    return
  }
  const exhibit = exhibitNamed(destination.exhibit)
  if (exhibit !== null) openExhibit(exhibit, null)
}

/** The fragment of what is shown now, with the moment: the part of a link after the page. */
export async function currentFragment(): Promise<string> {
  const address = addressNow()
  if (address !== null) return fragmentFor(withMoment(address, momentNow()))
  const letters = await lettersOf(documentNow())
  return fragmentFor({ name: 'document', letters, moment: momentNow() })
}

/**
 * Opens what the address says, and keeps the address true from then on. Files that the page was
 * started with are opened where the address says nothing.
 */
export function startHistory(openFiles: (() => Promise<void>) | null): Promise<void> {
  addEventListener('popstate', () => {
    // A fragment that is no address may name a part of what is shown.
    const isAddress = addressIn(location.hash).name !== 'unknown'
    if (isAddress || document.getElementById(location.hash.slice(1)) === null) void restore(null)
  })
  addEventListener('pagehide', writeMoment)
  view = viewNow()
  if (addressIn(location.hash).name === 'document') opening.value = OPENING
  const restored = restore(openFiles)
  effect(() => {
    document.title = pageTitle()
  })
  effect(follow)
  return restored
}

/** A lesson changes runs as it likes: its address is its name. */
function viewNow(): readonly unknown[] {
  const where = place.value
  if (where.name === 'lesson') return [where.lesson]
  if (where.name === 'lessons') return []
  return ['', branches.value, shown.value, ...compared.value]
}

function follow(): void {
  const next = viewNow()
  const now = momentNow()
  if (next.length === view.length && next.every((part, i) => part === view[i])) {
    moment = now
    writeMomentIn(written + (player.playing.value ? PAUSE_PLAYING : PAUSE) - performance.now())
    return
  }
  // The entry that is left keeps its last moment.
  writeMoment()
  view = next
  moment = null
  if (restoring) return
  entry = null
  const field = document.activeElement
  const typing = field instanceof HTMLInputElement && field === typedIn
  typedIn = field
  const again = replacing || embedded || typing
  replacing = false
  queueMicrotask(() => {
    if (view === next) write(again)
  })
}

/** Writes the address of the view: as a new entry, or again in the current one. */
function write(again: boolean): void {
  const mine = generation
  const address = addressNow()
  const linked = address === null ? documentNow() : null
  writing = writing.then(async () => {
    const letters = linked === null ? '' : await lettersOf(linked)
    if (mine !== generation) return
    const long = letters.length > ADDRESS_LENGTH_MAX
    state = { ours: true, ...(long && { letters }) }
    entry = address ?? (long ? { name: 'lab' } : { name: 'document', letters, moment: null })
    commit(fragmentFor(entry), again)
  })
}

function commit(fragment: string, again: boolean): void {
  const { pathname, search } = location
  try {
    if (again) history.replaceState(state, '', pathname + search + fragment)
    else history.pushState(state, '', pathname + search + fragment)
  } catch {
    // Browsers limit how often an address changes; the next change is written again.
  }
}

/** The address of the view without the moment; null where it takes a document. */
function addressNow(): PageAddress | null {
  const where = place.peek()
  if (where.name === 'lesson') return { name: 'lesson', lesson: where.lesson }
  if (where.name === 'lessons') return { name: 'home' }
  const [only, ...others] = branches.peek()
  const alone = others.length === 0 && compared.peek().length === 0 && only.code === null
  const exhibit = alone && only.recording === null ? exhibitOf(only.scenario) : null
  return exhibit && { name: 'exhibit', exhibit: slugOf(exhibit), moment: null }
}

/** The moment is a part of the address by itself, since it changes all the time. */
function documentNow(): LabDocument {
  return { ...currentDocument(), step: 0, time: 0 }
}

/** The moment that is shown; the clock is rounded where the picture stays the same. */
function momentNow(): LinkedMoment | null {
  const [step, time] = [player.step.value, player.time.value]
  const log = run.peek().log.peek()
  if (log === null || step > log.steps) return moment
  if (step > 0 && time === log.timeOf(step - 1)) return { step, time: null }
  if (step === 0 && time <= 0) return { step, time: null }
  const short = Number(time.toFixed(3))
  return { step, time: log.stepsUntil(short) === step ? short : time }
}

function withMoment(address: PageAddress, at: LinkedMoment | null): PageAddress {
  return address.name === 'exhibit' || address.name === 'document'
    ? { ...address, moment: at }
    : address
}

function writeMomentIn(milliseconds: number): void {
  clearTimeout(timer)
  if (milliseconds <= 0) writeMoment()
  else timer = setTimeout(writeMoment, milliseconds)
}

function writeMoment(): void {
  clearTimeout(timer)
  written = performance.now()
  if (entry === null || moment === null) return
  const fragment = fragmentFor(withMoment(entry, moment))
  if (fragment !== '' && fragment !== location.hash) commit(fragment, true)
}

/** Shows what the address says: at the start, after back and forward, and when it is edited. */
async function restore(openFiles: (() => Promise<void>) | null): Promise<void> {
  const mine = ++generation
  withdrawQuestion()
  problem.value = null
  entry = null
  const kept = history.state as EntryState | null
  const address = addressIn(location.hash)
  const show = await shownBy(address, kept, openFiles)
  if (mine !== generation) return
  restoring = true
  opening.value = null
  const isTrue = show()
  restoring = false
  if (!isTrue) return
  state = kept ?? { ours: true }
  entry = 'moment' in address ? withMoment(address, null) : (addressNow() ?? address)
  if (kept === null) commit(location.hash, true)
}

/** Prepares what an address asks for; the function that it returns shows it. */
async function shownBy(
  address: PageAddress,
  kept: EntryState | null,
  openFiles: (() => Promise<void>) | null,
): Promise<Shower> {
  if (kept?.letters !== undefined) return documentShown(kept.letters, null, true)
  switch (address.name) {
    case 'document':
      return documentShown(address.letters, address.moment, kept !== null)
    case 'exhibit': {
      const exhibit = exhibitNamed(address.exhibit)
      if (exhibit === null) return wrong(`The gallery has no exhibit "${address.exhibit}".`)
      return () => openExhibit(exhibit, address.moment)
    }
    case 'lesson':
      return () => showPlace({ name: 'lesson', lesson: address.lesson })
    case 'unknown':
      return wrong('The address leads nowhere.')
    case 'home':
      if (openFiles !== null) return () => filesShown(openFiles)
      return () => (HOME.name === 'lab' ? labShown() : showPlace(HOME))
    case 'lab':
      return labShown
  }
}

async function documentShown(
  letters: string,
  at: LinkedMoment | null,
  ours: boolean,
): Promise<Shower> {
  const read = await linkedDocument(letters)
  if (read === null) return wrong(UNREADABLE)
  const codes = codeIn(read)
  if (!ours && !(await mayRun(codes))) return wrong(null)
  if (codes.length > 0) opening.value = OPENING
  try {
    const show = await prepareDocument(read)
    return () => {
      batch(() => {
        place.value = { name: 'lab' }
        show()
      })
      if (at !== null) arriveAt(at)
      return true
    }
  } catch {
    return wrong(codes.length > 0 ? NO_COMPILER : UNREADABLE)
  }
}

/** Says what is wrong with an address, above a place from which one can go on. */
function wrong(words: string | null): Shower {
  return () => {
    problem.value = words
    showPlace({ name: 'lab' })
    return false
  }
}

/** The files replace what the address says as soon as they are open. */
function filesShown(openFiles: () => Promise<void>): boolean {
  replacing = true
  void openFiles()
  return false
}

function showPlace(next: Place): boolean {
  place.value = next
  return true
}

/** The lab as it is when nothing was chosen. */
function labShown(): boolean {
  if (branches.peek() !== FIRST) return openExhibit(gallery[0].exhibits[0], null)
  showPlace({ name: 'lab' })
  player.pause()
  player.resumeAt(0, 0)
  return true
}

function openExhibit({ scenario, speed }: Exhibit, at: LinkedMoment | null): boolean {
  batch(() => {
    place.value = { name: 'lab' }
    takeSpeed(speed ?? null)
    replaceScenario(scenario)
  })
  if (at !== null) arriveAt(at)
  return true
}

/** Goes to a moment; a step without its time waits until the run has got so far. */
function arriveAt({ step, time }: LinkedMoment): void {
  player.resumeAt(step, time ?? 0)
  const shownRun = run.peek()
  if (time !== null || step === 0) return
  const end = effect(() => {
    const left = run.value !== shownRun || player.step.value !== step
    if (!left && shownRun.known.value < step && shownRun.result.value === null) return
    queueMicrotask(() => end())
    if (!left) player.toStep(step)
  })
}

/** The speed that the user chose; some exhibits have one of their own. */
const usual = signal(1)
let given: number | null = null

/** Sets the speed of an exhibit, or the usual one. */
function takeSpeed(speed: number | null): void {
  given = speed
  player.speed.value = speed ?? usual.peek()
}

/** Uses the speed of the last visit, and keeps that of this one. */
export function keepSpeed(): void {
  keepSignal('speed', usual, (value): value is number => SPEEDS.includes(value as number))
  takeSpeed(null)
  effect(() => {
    if (player.speed.value !== given) usual.value = player.speed.value
  })
}
