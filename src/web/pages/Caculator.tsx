import { Link } from '@inertiajs/react'
import { Link2 } from 'lucide-react'
import { Calculator } from '#web/models/calculator/Calculator.tsx'
import { PageBody } from '#web/shell/PageBody.tsx'
import { AppPage } from '#web/shell/AppPage.tsx'
import { calculatorText } from '#web/text/models.ts'
import { Button, buttonClass } from '#web/ui/Button.tsx'
import { copyText } from '#web/ui/clipboard.ts'

/** The calculator, under the specification's spelling of its name. */
export default function Caculator() {
  return (
    <AppPage title={calculatorText.title}>
      <PageBody
        title={calculatorText.title}
        actions={
          <>
            <Button variant="ghost" size="sm" onClick={() => void copyText(location.href)}>
              <Link2 size={16} aria-hidden />
              {calculatorText.share}
            </Button>
            <Link
              href="/docs/charging"
              className={`${buttonClass({ variant: 'ghost', size: 'sm' })} max-sm:hidden!`}
            >
              {calculatorText.charging}
            </Link>
          </>
        }
      >
        <Calculator />
      </PageBody>
    </AppPage>
  )
}
