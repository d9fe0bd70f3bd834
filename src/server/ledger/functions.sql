-- The functions of the ledger as the migrations leave them: a test compares the two. To change one, change it here and
-- replace it in a new migration. Why money is decided here: docs/decisions/0012-money-moves-in-two-database-functions.md
--
-- Statements within a function are planned once a connection, perhaps when the tables are empty, and then stay as they are: so rows
-- are named by their ids (`= ANY`) and read through indexes, whatever the size that the planner saw.

-- Creates the runs whose coins can be held, and says for each what was, or what was short. Who has enough for all that is asked
-- of it together has enough for each; only where one has not, those that ask it are decided one after the other.
CREATE OR REPLACE FUNCTION ledger_hold(asked json, host uuid) RETURNS TABLE (run_id uuid, granted bigint, short text) LANGUAGE plpgsql
SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
DECLARE
	holds ledger_hold_request[] := ARRAY(SELECT h FROM json_populate_recordset(NULL::ledger_hold_request, asked) h);
	payers uuid[] := ARRAY(SELECT DISTINCT account_id FROM unnest(holds));
	limits uuid[] := ARRAY(SELECT DISTINCT unnest(budgets) FROM unnest(holds));
	decided ledger_hold_request[];
	scarce uuid[];
	one ledger_hold_request;
	free bigint;
	spare bigint;
BEGIN
	-- Accounts, then budgets, each in the order of their ids, as `ledger_settle` does: two batches cannot block each other.
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
			run_id := one.id;
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
	UPDATE ledger_accounts a SET held = a.held + w.amount
	FROM (SELECT account_id, sum(amount)::bigint AS amount FROM unnest(holds) GROUP BY account_id) w
	WHERE a.id = ANY (payers) AND a.id = w.account_id;
	UPDATE ledger_budgets b SET held = b.held + w.amount
	FROM (SELECT budget, sum(amount)::bigint AS amount FROM unnest(holds), unnest(budgets) budget GROUP BY budget) w
	WHERE b.id = ANY (limits) AND b.id = w.budget;
	RETURN QUERY INSERT INTO runs (id, user_id, account_id, kind, subject_id, model, platform, state, input_tokens, prices, plan,
		host_id, held, budgets)
	SELECT h.id, r.user_id, h.account_id, r.kind, r.subject_id, r.model, r.platform, 'running', r.input_tokens, r.prices, r.plan,
		host, h.amount, h.budgets
	FROM json_to_recordset(asked) AS r(id uuid, user_id uuid, kind text, subject_id uuid, model text, platform text,
		input_tokens int, prices jsonb, plan jsonb)
	JOIN unnest(holds || decided) h ON h.id = r.id
	RETURNING id, held, NULL::text;
END $$;

-- Ends those of the runs that are still running, each with its bill or with nothing to pay, and returns what was charged.
-- Where the usage costs more than was held, what is free covers it as far as it goes, in the order of the batch. In the same
-- order the gift coins of an account pay before its others.
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
