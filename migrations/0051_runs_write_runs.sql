-- `runs` is written by functions of its own, which call the ledger's: those know coins only.
DROP FUNCTION ledger_hold(json, uuid);
--> statement-breakpoint
DROP FUNCTION ledger_settle(json);
--> statement-breakpoint
DROP TYPE ledger_ending;
--> statement-breakpoint
CREATE TYPE ledger_settlement AS (id uuid, account_id uuid, budgets uuid[], held bigint, computed bigint);
--> statement-breakpoint
CREATE FUNCTION ledger_hold(holds ledger_hold_request[]) RETURNS TABLE (id uuid, granted bigint, short text) LANGUAGE plpgsql
SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
DECLARE
	payers uuid[] := ARRAY(SELECT DISTINCT account_id FROM unnest(holds));
	limits uuid[] := ARRAY(SELECT DISTINCT unnest(budgets) FROM unnest(holds));
	decided ledger_hold_request[];
	scarce uuid[];
	one ledger_hold_request;
	free bigint;
	spare bigint;
BEGIN
	-- Accounts, then budgets, each in the order of their ids, as `ledger_lock` does: two batches cannot block each other.
	scarce := ARRAY(
		SELECT w.account_id FROM (SELECT account_id, sum(amount) AS amount FROM unnest(holds) GROUP BY account_id) w
		LEFT JOIN (SELECT id, balance - held AS free FROM ledger_accounts
			WHERE id = ANY (payers) ORDER BY id FOR UPDATE) a ON a.id = w.account_id
		WHERE a.id IS NULL OR a.free < w.amount);
	scarce := scarce || ARRAY(
		SELECT w.budget FROM (SELECT budget, sum(amount) AS amount FROM unnest(holds), unnest(budgets) budget GROUP BY budget) w
		LEFT JOIN (SELECT id, spend_limit - used - held AS spare FROM ledger_budgets
			WHERE id = ANY (limits) ORDER BY id FOR UPDATE) b ON b.id = w.budget
		WHERE b.id IS NULL OR b.spare < w.amount);
	IF scarce <> '{}' THEN
		FOR one IN SELECT * FROM unnest(holds) WHERE account_id = ANY (scarce) OR budgets && scarce LOOP
			SELECT balance - held INTO free FROM ledger_accounts WHERE id = one.account_id;
			short := CASE WHEN free >= one.least THEN NULL ELSE 'balance' END;
			spare := NULL;
			IF short IS NULL THEN
				-- The first budget that has too little, or that is none.
				SELECT min(b.spend_limit - b.used - b.held), (array_agg(coalesce(b.kind, 'unknown') ORDER BY nth)
					FILTER (WHERE b.id IS NULL OR b.spend_limit - b.used - b.held < one.least))[1] INTO spare, short
				FROM unnest(one.budgets) WITH ORDINALITY named(id, nth) LEFT JOIN ledger_budgets b ON b.id = named.id;
			END IF;
			id := one.id;
			IF short IS NULL THEN
				one.amount := least(one.amount, free, spare);
				UPDATE ledger_accounts SET held = held + one.amount WHERE id = one.account_id;
				UPDATE ledger_budgets SET held = held + one.amount WHERE id = ANY (one.budgets);
				decided := decided || one;
			ELSE
				RETURN NEXT;
			END IF;
		END LOOP;
		holds := ARRAY(SELECT h FROM unnest(holds) h WHERE NOT (account_id = ANY (scarce) OR budgets && scarce));
	END IF;
	RETURN QUERY WITH account AS (
		UPDATE ledger_accounts a SET held = a.held + w.amount
		FROM (SELECT account_id, sum(amount)::bigint AS amount FROM unnest(holds) GROUP BY account_id) w
		WHERE a.id = ANY (payers) AND a.id = w.account_id
	), budget AS (
		UPDATE ledger_budgets b SET held = b.held + w.amount
		FROM (SELECT budget, sum(amount)::bigint AS amount FROM unnest(holds), unnest(budgets) budget GROUP BY budget) w
		WHERE b.id = ANY (limits) AND b.id = w.budget
	)
	SELECT id, amount, NULL::text FROM unnest(holds || decided);
END $$;
--> statement-breakpoint
CREATE FUNCTION ledger_lock(payers uuid[], limits uuid[]) RETURNS void LANGUAGE plpgsql
SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
BEGIN
	PERFORM FROM ledger_accounts WHERE id = ANY (payers) ORDER BY id FOR UPDATE;
	PERFORM FROM ledger_budgets WHERE id = ANY (limits) ORDER BY id FOR UPDATE;
END $$;
--> statement-breakpoint
CREATE FUNCTION ledger_settle(ends ledger_settlement[]) RETURNS TABLE (id uuid, charged bigint, gift bigint) LANGUAGE plpgsql
SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
DECLARE
	payers uuid[];
	scarce uuid[];
	gifted uuid[];
	mixed uuid[];
	capped jsonb := '{}';
	gifts jsonb := '{}';
	account uuid;
	free bigint;
	one record;
BEGIN
	-- Where the gift coins of an account pay for all of the batch, they pay for each of its holds; only what they pay in part
	-- (`mixed`) is shared out. Grouped and not joined: a join is planned for few rows, and may read every account as often as
	-- there are accounts.
	SELECT array_agg(id), array_agg(id) FILTER (WHERE free < beyond), array_agg(id) FILTER (WHERE gift >= computed),
		array_agg(id) FILTER (WHERE gift > 0 AND gift < computed) INTO payers, scarce, gifted, mixed
		FROM (SELECT id, max(free) AS free, max(gift) AS gift, sum(beyond) AS beyond, sum(computed) AS computed
			FROM (SELECT id, balance - held AS free, gift, 0 AS beyond, 0 AS computed FROM ledger_accounts
					WHERE id = ANY (ARRAY(SELECT account_id FROM unnest(ends)))
				UNION ALL SELECT account_id, 0, 0, greatest(computed - held, 0), computed FROM unnest(ends)) part
			GROUP BY id) w;
	IF scarce IS NOT NULL THEN
		FOR one IN SELECT e.id, e.computed, e.account_id, e.held, a.balance - a.held AS free
			FROM unnest(ends) WITH ORDINALITY e(id, account_id, budgets, held, computed, nth)
			JOIN ledger_accounts a ON a.id = e.account_id
			WHERE a.id = ANY (scarce) ORDER BY a.id, e.nth
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
			FROM (SELECT id, account_id, coalesce((capped ->> id::text)::bigint, computed) AS amount, nth
				FROM unnest(ends) WITH ORDINALITY e(id, account_id, budgets, held, computed, nth)) e
			JOIN ledger_accounts a ON a.id = e.account_id
			WHERE a.id = ANY (mixed)) share WHERE gift > 0);
	END IF;
	RETURN QUERY WITH charge AS MATERIALIZED (
		SELECT id, account_id, budgets, held, amount, least(amount,
			CASE WHEN account_id = ANY (gifted) THEN amount ELSE coalesce((gifts ->> id::text)::bigint, 0) END) AS gift
		FROM (SELECT id, account_id, budgets, held, coalesce((capped ->> id::text)::bigint, computed) AS amount
			FROM unnest(ends)) e
	), account AS (
		UPDATE ledger_accounts a SET held = a.held - w.held, balance = a.balance - w.amount, gift = a.gift - w.gift
		FROM (SELECT account_id, sum(held)::bigint AS held, sum(amount)::bigint AS amount, sum(gift)::bigint AS gift
			FROM charge GROUP BY account_id) w
		WHERE a.id = ANY (payers) AND a.id = w.account_id
	), budget AS (
		UPDATE ledger_budgets b SET held = b.held - w.held, used = b.used + w.amount
		FROM (SELECT budget, sum(held)::bigint AS held, sum(amount)::bigint AS amount
			FROM charge, unnest(budgets) budget GROUP BY budget) w
		WHERE b.id = ANY (ARRAY(SELECT unnest(budgets) FROM unnest(ends))) AND b.id = w.budget
	)
	SELECT id, amount, gift FROM charge;
END $$;
--> statement-breakpoint
CREATE FUNCTION run_create(asked json, host uuid) RETURNS TABLE (id uuid, granted bigint, short text) LANGUAGE plpgsql
SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
DECLARE
	holds ledger_hold_request[] := ARRAY(SELECT h FROM json_populate_recordset(NULL::ledger_hold_request, asked) h);
BEGIN
	RETURN QUERY WITH hold AS MATERIALIZED (SELECT id, granted, short FROM ledger_hold(holds)), run AS (
		INSERT INTO runs (id, user_id, account_id, kind, subject_id, model, platform, state, input_tokens, prices, plan, host_id,
			held, budgets)
		SELECT r.id, r.user_id, r.account_id, r.kind, r.subject_id, r.model, r.platform, 'running', r.input_tokens, r.prices, r.plan,
			host, hold.granted, r.budgets
		FROM json_to_recordset(asked) AS r(id uuid, user_id uuid, account_id uuid, kind text, subject_id uuid, model text,
			platform text, input_tokens int, prices jsonb, plan jsonb, budgets uuid[])
		JOIN hold ON hold.id = r.id WHERE hold.short IS NULL
	)
	SELECT id, granted, short FROM hold;
END $$;
--> statement-breakpoint
CREATE FUNCTION run_settle(ended json) RETURNS TABLE (id uuid, charged bigint) LANGUAGE plpgsql
SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
DECLARE
	ids uuid[];
	costs bigint[];
	ends ledger_settlement[];
	written int;
BEGIN
	SELECT array_agg(id), array_agg(computed) INTO ids, costs FROM json_to_recordset(ended) AS e(id uuid, computed bigint);
	PERFORM ledger_lock(ARRAY(SELECT account_id FROM runs WHERE id = ANY (ids)),
		ARRAY(SELECT unnest(budgets) FROM runs WHERE id = ANY (ids)));
	-- Whoever ends a run has locked its account. So runs are read again, by a statement that begins when these are locked: it sees
	-- which of them others have ended, and nobody ends another until this transaction does. The aggregate filters, since few runs
	-- of the table have no end: a join of those is planned for a single row, and then compares each with each.
	SELECT coalesce(array_agg((r.id, r.account_id, r.budgets, r.held, e.computed)::ledger_settlement ORDER BY e.nth)
		FILTER (WHERE r.ended_at IS NULL), '{}') INTO ends
		FROM unnest(ids, costs) WITH ORDINALITY e(id, computed, nth) JOIN runs r ON r.id = e.id WHERE r.id = ANY (ids);
	-- Bills and charges are joined first, so that neither is scanned once for each run.
	RETURN QUERY WITH e AS MATERIALIZED (
		SELECT e.*, c.charged, c.gift
		FROM json_to_recordset(ended) AS e(id uuid, state text, code text, first_text_at timestamptz, attempts jsonb,
			computed bigint, usage_source text, flagged text, details jsonb, platform text, prices jsonb, input_tokens int,
			output_tokens int, cached_tokens int, cache_write_tokens int, reasoning_tokens int, units int, times int)
		JOIN ledger_settle(ends) c ON c.id = e.id
	)
	UPDATE runs r SET state = e.state, code = e.code, first_text_at = e.first_text_at, ended_at = now(),
		attempts = e.attempts, amount = e.charged, computed = e.computed, gift = e.gift,
		usage_source = e.usage_source, flagged = e.flagged, details = e.details,
		platform = coalesce(e.platform, r.platform), prices = coalesce(e.prices, r.prices),
		input_tokens = coalesce(e.input_tokens, r.input_tokens), output_tokens = coalesce(e.output_tokens, 0),
		cached_tokens = coalesce(e.cached_tokens, 0), cache_write_tokens = coalesce(e.cache_write_tokens, 0),
		reasoning_tokens = coalesce(e.reasoning_tokens, 0), units = coalesce(e.units, 0), times = coalesce(e.times, 1)
	FROM e WHERE r.id = ANY (ids) AND r.id = e.id
	RETURNING r.id, r.amount;
	-- A run that the batch names twice was charged twice, and ended once.
	GET DIAGNOSTICS written = ROW_COUNT;
	IF written <> cardinality(ends) THEN
		RAISE 'charged % runs and ended %', cardinality(ends), written;
	END IF;
END $$;
