import { Link } from '@inertiajs/react'
import { ChevronLeft } from 'lucide-react'
import type { PageProps } from '#contract/pages.ts'
import { ApiKeySamples } from '#web/accounts/keys/ApiKeySamples.tsx'
import { ModelPage } from '#web/models/ModelPage.tsx'
import { PageBody } from '#web/shell/PageBody.tsx'
import { ModelDirectory } from '#web/models/ModelDirectory.tsx'
import { AppPage } from '#web/shell/AppPage.tsx'
import { modelsText } from '#web/text/models.ts'
import { buttonClass } from '#web/ui/Button.tsx'

const headerLink = buttonClass({ variant: 'ghost', size: 'sm' })

/** Shows the model directory; with `model`, that model's own page. */
export default function Model({ model }: PageProps<'Model'>) {
  return (
    <AppPage title={model ?? modelsText.title}>
      {model ? (
        <PageBody actions={<BackToModels />}>
          <ModelPage
            key={model}
            model={model}
            renderSamples={(id) => <ApiKeySamples model={id} api_key={null} />}
          />
        </PageBody>
      ) : (
        <PageBody title={modelsText.title} actions={<ModelDirectoryLinks />}>
          <ModelDirectory />
        </PageBody>
      )}
    </AppPage>
  )
}

function ModelDirectoryLinks() {
  return (
    <>
      <Link href="/calculator" className={headerLink}>
        {modelsText.calculator}
      </Link>
      <Link href="/docs/charging" className={headerLink}>
        {modelsText.charging}
      </Link>
    </>
  )
}

function BackToModels() {
  return (
    <Link href="/models" className={`${headerLink} -ml-3`}>
      <ChevronLeft size={16} aria-hidden />
      {modelsText.back}
    </Link>
  )
}
