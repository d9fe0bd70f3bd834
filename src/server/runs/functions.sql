-- The functions that create and end runs, as the migrations leave them: a test compares the two. To change one, change it here and
-- replace it in a new migration. The ledger's functions, src/server/ledger/functions.sql, move the coins: a run and its coins
-- are written by one call. Rows are named by their ids for the reasons given there.

-- Creates the runs whose coins can be held, and says for each how many were, or what was short.
CREATE OR REPLACE FUNCTION run_create(asked json, host uuid) RETURNS TABLE (id uuid, granted bigint, short text) LANGUAGE plpgsql
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

-- Ends those of the runs that are still running, each with its bill or with nothing to pay, and returns what was charged.
CREATE OR REPLACE FUNCTION run_settle(ended json) RETURNS TABLE (id uuid, charged bigint) LANGUAGE plpgsql
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
