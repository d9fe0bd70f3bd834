import { Gift } from 'lucide-react'
import type { PageProps } from '#contract/pages.ts'
import { Invitations } from '#web/commerce/credit/credit.ts'
import { BulletList } from '#web/docs/ArticleSection.tsx'
import { AppPage } from '#web/shell/AppPage.tsx'
import { PageBody } from '#web/shell/PageBody.tsx'
import { partnerText as text } from '#web/text/site/partner.ts'
import { SignInGate } from '#web/ui/SignInGate.tsx'

/** Shows the invitation programme: its rewards, and the results of the person's own link. */
export default function Partner({ reward }: PageProps<'Partner'>) {
  return (
    <AppPage title={text.title}>
      <PageBody title={text.title}>
        <div className="max-w-3xl">
          <p className="text-reading leading-reading text-ink2">
            {reward > 0 ? text.lead(reward.toLocaleString('zh-CN')) : text.closed}
          </p>
          <SignInGate icon={<Gift size={28} />} title={text.signIn} description={text.signInHint}>
            {(user) => <Invitations user={user} />}
          </SignInGate>
          {reward > 0 && (
            <section className="mt-10">
              <h2 className="mb-4 text-base font-semibold">{text.rulesTitle}</h2>
              <BulletList lines={text.rules} />
            </section>
          )}
        </div>
      </PageBody>
    </AppPage>
  )
}
