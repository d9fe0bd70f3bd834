import { FileText } from 'lucide-react'
import type { PageProps } from '#contract/pages.ts'
import { AddDocuments, BlockList, BlockPage, StorageUse } from '#web/documents/blocks/blocks.ts'
import { AppPage } from '#web/shell/AppPage.tsx'
import { PageBody } from '#web/shell/PageBody.tsx'
import { useUser } from '#web/core/user.ts'
import { blocksText } from '#web/text/blocks.ts'
import { lazyComponent } from '#web/ui/lazy/lazyComponent.tsx'
import { SignInGate } from '#web/ui/SignInGate.tsx'

// From the chat's own chunk: a second chunk with the same parts would split it, and make the chat's first load larger.
const SideChat = lazyComponent(async () => ({ default: (await import('./Chat.tsx')).SideChat }))

/** Shows the person's documents; with `id`, that document. */
export default function Block({ id }: PageProps<'Block'>) {
  const isSignedIn = useUser() !== null
  if (id !== null && isSignedIn)
    return (
      <BlockPage
        key={id}
        id={id}
        renderChat={(props, key) => <SideChat key={key} {...props} />}
        renderPage={(page) => <AppPage {...page} />}
      />
    )
  return (
    <AppPage title={blocksText.title}>
      <PageBody title={blocksText.title}>
        <SignInGate
          icon={<FileText size={28} />}
          title={blocksText.signIn}
          description={blocksText.signInHint}
        >
          {(user) => (
            <>
              <p className="mb-4 max-w-2xl text-ink2">{blocksText.intro}</p>
              <AddDocuments user={user} />
              <StorageUse className="mb-4" />
              <BlockList />
            </>
          )}
        </SignInGate>
      </PageBody>
    </AppPage>
  )
}
