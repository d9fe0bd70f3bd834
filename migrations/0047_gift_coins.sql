ALTER TABLE "ledger_accounts" ADD COLUMN "gift" bigint DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE "ledger_transfers" ADD COLUMN "gift" bigint DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "gift" bigint DEFAULT 0 NOT NULL;
--> statement-breakpoint
-- What is left of coins that were given stays a gift, charges having taken those first; what went into organizations is real.
-- An account was charged what came in and neither went out nor is there.
UPDATE ledger_accounts a SET gift = least(a.balance, greatest(w.given - (w.moved - a.balance), 0))
FROM (SELECT account_id, sum(change) AS moved, sum(change) FILTER (WHERE kind IN ('signup', 'reward')) AS given
	FROM (SELECT credit_account_id AS account_id, amount AS change, kind FROM ledger_transfers
		UNION ALL SELECT debit_account_id, -amount, kind FROM ledger_transfers) move
	GROUP BY account_id) w
WHERE a.id = w.account_id AND a.user_id IS NOT NULL AND w.given > 0;
--> statement-breakpoint
-- The latest of the transfers that gave them have them, so that gifts are what transfers and runs add up to.
UPDATE ledger_transfers t SET gift = s.gift
FROM (SELECT t.id, least(t.amount, a.gift + t.amount - sum(t.amount) OVER (PARTITION BY a.id ORDER BY t.created_at DESC, t.id DESC)) AS gift
	FROM ledger_transfers t JOIN ledger_accounts a ON a.id = t.credit_account_id
	WHERE t.kind IN ('signup', 'reward') AND a.gift > 0) s
WHERE t.id = s.id AND s.gift > 0;
--> statement-breakpoint
ALTER TABLE "ledger_accounts" ADD CONSTRAINT "ledger_accounts_gift" CHECK ("ledger_accounts"."gift" >= 0 AND "ledger_accounts"."gift" <= "ledger_accounts"."balance" AND ("ledger_accounts"."gift" = 0 OR "ledger_accounts"."user_id" IS NOT NULL));
--> statement-breakpoint
ALTER TABLE "ledger_transfers" ADD CONSTRAINT "ledger_transfers_gift" CHECK ("ledger_transfers"."gift" >= 0 AND "ledger_transfers"."gift" <= "ledger_transfers"."amount" AND ("ledger_transfers"."gift" = 0 OR "ledger_transfers"."kind" IN ('signup', 'reward', 'forfeit')));
--> statement-breakpoint
ALTER TABLE "runs" ADD CONSTRAINT "runs_gift" CHECK ("runs"."gift" >= 0 AND "runs"."gift" <= "runs"."amount");
--> statement-breakpoint
CREATE OR REPLACE FUNCTION ledger_settle(ended json) RETURNS TABLE (run_id uuid, charged bigint) LANGUAGE plpgsql
SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
DECLARE
	ends ledger_ending[] := ARRAY(SELECT e FROM json_populate_recordset(NULL::ledger_ending, ended) e);
	ids uuid[] := ARRAY(SELECT id FROM unnest(ends));
	payers uuid[];
	limits uuid[];
	scarce uuid[];
	gifted uuid[];
	mixed uuid[];
	capped jsonb := '{}';
	gifts jsonb := '{}';
	account uuid;
	free bigint;
	one record;
BEGIN
	payers := ARRAY(SELECT DISTINCT account_id FROM runs WHERE id = ANY (ids));
	limits := ARRAY(SELECT DISTINCT unnest(budgets) FROM runs WHERE id = ANY (ids));
	-- Whoever ends a run has locked its account, so that a run is ended once. Where the gift coins of an account pay for all of the
	-- batch, they pay for each of its runs; only what they pay in part (`mixed`) is shared out. Grouped and not joined: a join is
	-- planned for few rows, and may then lock every account as often as there are accounts.
	SELECT array_agg(id) FILTER (WHERE free < beyond), array_agg(id) FILTER (WHERE gift >= computed),
		array_agg(id) FILTER (WHERE gift > 0 AND gift < computed) INTO scarce, gifted, mixed
		FROM (SELECT id, max(free) AS free, max(gift) AS gift, sum(beyond) AS beyond, sum(computed) AS computed
			FROM (SELECT id, free, gift, 0 AS beyond, 0 AS computed
					FROM (SELECT id, balance - held AS free, gift FROM ledger_accounts
						WHERE id = ANY (payers) ORDER BY id FOR UPDATE) a
				UNION ALL SELECT r.account_id, 0, 0, greatest(e.computed - r.held, 0), e.computed
					FROM unnest(ends) e JOIN runs r ON r.id = e.id WHERE r.id = ANY (ids)) part
			GROUP BY id) w;
	PERFORM FROM ledger_budgets WHERE id = ANY (limits) ORDER BY id FOR UPDATE;
	IF scarce IS NOT NULL THEN
		FOR one IN SELECT e.id, e.computed, r.account_id, r.held, a.balance - a.held AS free
			FROM unnest(ends) WITH ORDINALITY e(id, computed, nth) JOIN runs r ON r.id = e.id AND r.ended_at IS NULL
			JOIN ledger_accounts a ON a.id = r.account_id
			WHERE r.id = ANY (ids) AND a.id = ANY (scarce) ORDER BY a.id, e.nth
		LOOP
			IF account IS DISTINCT FROM one.account_id THEN
				account := one.account_id;
				free := one.free;
			END IF;
			free := free + one.held - one.computed;
			IF free < 0 THEN
				capped := capped || jsonb_build_object(one.id, one.computed + free);
				free := 0;
			END IF;
		END LOOP;
	END IF;
	IF mixed IS NOT NULL THEN
		gifts := (SELECT jsonb_object_agg(id, gift) FROM (
			SELECT e.id, a.gift - sum(e.amount) OVER (PARTITION BY a.id ORDER BY e.nth) + e.amount AS gift
			FROM (SELECT id, coalesce((capped ->> id::text)::bigint, computed) AS amount, nth
				FROM unnest(ends) WITH ORDINALITY e(id, computed, nth)) e
			JOIN runs r ON r.id = e.id AND r.ended_at IS NULL JOIN ledger_accounts a ON a.id = r.account_id
			WHERE r.id = ANY (ids) AND a.id = ANY (mixed)) share WHERE gift > 0);
	END IF;
	RETURN QUERY WITH run AS (
		UPDATE runs r SET state = e.state, code = e.code, first_text_at = e.first_text_at, ended_at = now(),
			attempts = e.attempts, amount = coalesce((capped ->> e.id::text)::bigint, e.computed), computed = e.computed,
			gift = least(coalesce((capped ->> e.id::text)::bigint, e.computed),
				CASE WHEN r.account_id = ANY (gifted) THEN e.computed ELSE coalesce((gifts ->> e.id::text)::bigint, 0) END),
			usage_source = e.usage_source, flagged = e.flagged, details = e.details,
			platform = coalesce(e.platform, r.platform), prices = coalesce(e.prices, r.prices),
			input_tokens = coalesce(e.input_tokens, r.input_tokens), output_tokens = coalesce(e.output_tokens, 0),
			cached_tokens = coalesce(e.cached_tokens, 0), cache_write_tokens = coalesce(e.cache_write_tokens, 0),
			reasoning_tokens = coalesce(e.reasoning_tokens, 0), units = coalesce(e.units, 0), times = coalesce(e.times, 1)
		FROM json_to_recordset(ended) AS e(id uuid, state text, code text, first_text_at timestamptz, attempts jsonb,
			computed bigint, usage_source text, flagged text, details jsonb, platform text, prices jsonb, input_tokens int,
			output_tokens int, cached_tokens int, cache_write_tokens int, reasoning_tokens int, units int, times int)
		WHERE r.id = ANY (ids) AND r.id = e.id AND r.ended_at IS NULL
		RETURNING r.id, r.account_id, r.held, r.budgets, r.amount, r.gift
	), account AS (
		UPDATE ledger_accounts a SET held = a.held - w.held, balance = a.balance - w.amount, gift = a.gift - w.gift
		FROM (SELECT account_id, sum(held)::bigint AS held, sum(amount)::bigint AS amount, sum(gift)::bigint AS gift
			FROM run GROUP BY account_id) w
		WHERE a.id = ANY (payers) AND a.id = w.account_id
	), budget AS (
		UPDATE ledger_budgets b SET held = b.held - w.held, used = b.used + w.amount
		FROM (SELECT budget, sum(held)::bigint AS held, sum(amount)::bigint AS amount
			FROM run, unnest(budgets) budget GROUP BY budget) w
		WHERE b.id = ANY (limits) AND b.id = w.budget
	)
	SELECT id, amount FROM run;
END $$;
