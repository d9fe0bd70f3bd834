import { useRef } from 'react'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import ModelList from './ModelList.tsx'
import { createChatModel } from './testModels.ts'

const models = [
  createChatModel('free', { guest: true }),
  createChatModel('paid'),
  createChatModel('away', { available: false, guest: true }),
]
const chosenIds: string[] = []

function Example({ guest }: { guest: boolean }) {
  const anchor = useRef<HTMLButtonElement>(null)
  return (
    <>
      <button ref={anchor}>模型</button>
      <ModelList
        anchor={anchor}
        models={models}
        recent={[]}
        current="free"
        guest={guest}
        defaultModel={guest ? null : 'free'}
        onDefault={() => {}}
        onChoose={(id) => chosenIds.push(id)}
        onClose={() => {}}
      />
    </>
  )
}

/** Moves to the model with this name by the keys, and presses Enter. */
async function choose(name: string): Promise<string[]> {
  const field = page.getByRole('combobox')
  await field.fill(name)
  await userEvent.keyboard('{ArrowDown}{Enter}')
  return chosenIds.splice(0)
}

test('Enter chooses a model that the person may ask, and no other', async () => {
  const { rerender } = await render(<Example guest />)
  expect([await choose('free'), await choose('paid'), await choose('away')]).toEqual([['free'], [], []])
  await rerender(<Example guest={false} />)
  expect([await choose('paid'), await choose('away')]).toEqual([['paid'], []])
})
