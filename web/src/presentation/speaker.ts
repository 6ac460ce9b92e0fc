import { effect, signal } from '@preact/signals'
import type { Player } from '../model/player.ts'
import { guess, guessFirst } from '../model/prediction.ts'
import { present, presenting } from '../view/layout.ts'

/** What lies over the picture. */
export const overlay = signal<'question' | 'answer' | 'link' | null>(null)
/** Whether the screen is black, as the key of a remote makes it. */
export const blank = signal(false)
/** Whether the diagram stands beside the stage. */
export const diagramPresented = signal(false)

effect(() => {
  if (presenting.value) return
  overlay.value = null
  blank.value = false
})

/** Asks what will happen, then answers, then goes on. */
export function askOrAnswer(player: Player): void {
  const next = { question: 'answer', answer: null } as const
  const asked = overlay.value === 'question' || overlay.value === 'answer' ? overlay.value : null
  overlay.value = asked === null ? 'question' : next[asked]
  guess.value = null
  guessFirst.value = overlay.value === 'question'
  if (overlay.value === 'question') {
    player.pause()
    player.toStep(0)
  }
  if (overlay.value === 'answer') player.toEnd()
}

/** The keys that mean something else, or anything at all, only in a presentation. */
export const SPEAKER_KEYS = [
  { keys: ['q'], says: 'ask what will happen; again: the answer', act: askOrAnswer },
  {
    keys: ['d'],
    says: 'the diagram beside the stage',
    act: () => {
      diagramPresented.value = !diagramPresented.value
    },
  },
  {
    keys: ['l'],
    says: 'the link as a QR code',
    act: () => {
      overlay.value = overlay.value === 'link' ? null : 'link'
    },
  },
  {
    keys: ['b', '.'],
    says: 'black screen, and back',
    act: () => {
      blank.value = !blank.value
    },
  },
  {
    keys: ['Escape'],
    says: 'leave the presentation',
    act: () => {
      if (blank.value) blank.value = false
      else if (overlay.value !== null) overlay.value = null
      else present(false)
    },
  },
]
