import type { Player } from '../model/player.ts'
import { present } from '../view/layout.ts'

/** Everything that keys do; presenter remotes send arrows and page keys. */
export function listenToKeys(player: Player): void {
  addEventListener('keydown', ({ key, target }) => {
    if (target instanceof HTMLInputElement || target instanceof HTMLSelectElement) return
    if (key === ' ') player.toggle()
    if (key === 'ArrowRight') player.move(1)
    if (key === 'ArrowLeft') player.move(-1)
    if (key === 'p') present()
  })
}
