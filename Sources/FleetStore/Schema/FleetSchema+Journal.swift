import Fleet

extension FleetSchema {
    /// The functions for the journal and proposals.
    static let journal = """
        -- Inserts a row of the journal and the outcomes of its proposals.
        CREATE FUNCTION iprecord.append(
          p_fleet bigint, p_term bigint, p_leader text, p_epoch bigint, p_incarnation bigint, p_incarnation_id uuid,
          p_seq bigint, p_id uuid, p_previous uuid, p_clock bigint, p_encoding bigint, p_body bytea,
          p_outcomes uuid[], p_replies bytea[])
        RETURNS void LANGUAGE plpgsql AS $f$
        DECLARE last_seq bigint; last_id uuid; last_incarnation bigint; known text;
        BEGIN
          PERFORM iprecord.fence(p_fleet, p_term, p_leader, p_epoch, p_incarnation, p_incarnation_id);
          -- resolve() locks the row that the fence has locked, so it has ended or will wait.
          IF EXISTS (SELECT FROM iprecord.operation o WHERE o.fleet = p_fleet AND o.id = p_id) THEN
            RAISE EXCEPTION 'operation % was resolved as not committed', p_id
              USING ERRCODE = '\(FleetSQLState.operationKnown)';
          END IF;
          SELECT j.seq, j.id, j.incarnation INTO last_seq, last_id, last_incarnation FROM iprecord.journal j
          WHERE j.fleet = p_fleet ORDER BY j.seq DESC LIMIT 1;
          IF NOT FOUND THEN
            last_seq := 0;
            last_id := '\(UniqueID.none.uuid)';
          END IF;
          IF p_seq = last_seq AND p_id = last_id THEN
            RAISE EXCEPTION 'operation % is committed', p_id USING ERRCODE = '\(FleetSQLState.operationKnown)';
          ELSIF p_seq <= last_seq THEN
            RAISE EXCEPTION 'number % is taken: the last one is %', p_seq, last_seq
              USING ERRCODE = '\(FleetSQLState.numberTaken)';
          ELSIF p_seq <> last_seq + 1 OR p_previous <> last_id THEN
            RAISE EXCEPTION 'row % does not follow row %, %', p_seq, last_seq, last_id
              USING ERRCODE = '\(FleetSQLState.predecessorDiffers)';
          END IF;
          -- Another transaction with the same fence may insert the number at the same time: a late message of an
          -- earlier connection.
          INSERT INTO iprecord.journal
          VALUES (p_fleet, p_seq, p_id, p_previous, p_term, p_incarnation, p_clock, p_encoding, p_body)
          ON CONFLICT (fleet, seq) DO NOTHING;
          IF NOT FOUND THEN
            SELECT j.id INTO last_id FROM iprecord.journal j WHERE j.fleet = p_fleet AND j.seq = p_seq;
            IF last_id = p_id THEN
              RAISE EXCEPTION 'operation % is committed', p_id USING ERRCODE = '\(FleetSQLState.operationKnown)';
            END IF;
            RAISE EXCEPTION 'number % is taken', p_seq USING ERRCODE = '\(FleetSQLState.numberTaken)';
          END IF;
          IF last_incarnation IS NULL OR last_incarnation < p_incarnation THEN
            INSERT INTO iprecord.incarnation_start (fleet, incarnation, seq, id)
            VALUES (p_fleet, p_incarnation, p_seq, p_id);
          END IF;
          IF cardinality(p_outcomes) > 0 THEN
            WITH inserted AS (
              INSERT INTO iprecord.outcome (fleet, id, seq, position, reply)
              SELECT p_fleet, u.id, p_seq, u.position, u.reply
              FROM unnest(p_outcomes, p_replies) WITH ORDINALITY AS u (id, reply, position) ORDER BY u.id
              ON CONFLICT (fleet, id) DO NOTHING RETURNING id)
            SELECT string_agg(u.id::text, ' ' ORDER BY u.id) INTO known
            FROM unnest(p_outcomes) AS u (id) WHERE u.id NOT IN (SELECT i.id FROM inserted i);
            IF known IS NOT NULL THEN
              RAISE EXCEPTION 'proposals have an outcome'
                USING ERRCODE = '\(FleetSQLState.outcomesKnown)', DETAIL = known;
            END IF;
            DELETE FROM iprecord.proposal WHERE fleet = p_fleet AND id = ANY (p_outcomes);
          END IF;
        END $f$;

        -- Returns whether a row of the journal was committed. If not, it never will be.
        CREATE FUNCTION iprecord.resolve(p_fleet bigint, p_seq bigint, p_id uuid) RETURNS boolean
        LANGUAGE plpgsql AS $f$
        BEGIN
          PERFORM iprecord.require_durability();
          -- Waits for open transactions behind the fence, and keeps new ones waiting. Locking a row writes it, so this
          -- COMMIT waits for the standby even if nothing else is written.
          PERFORM 1 FROM iprecord.fleet WHERE id = p_fleet FOR UPDATE;
          IF EXISTS (SELECT FROM iprecord.journal WHERE fleet = p_fleet AND seq = p_seq AND id = p_id) THEN
            RETURN true;
          END IF;
          INSERT INTO iprecord.operation (fleet, id, seq) VALUES (p_fleet, p_id, p_seq) ON CONFLICT DO NOTHING;
          RETURN false;
        END $f$;

        -- Deletes at most p_limit rows of the journal before the row p_through, and as many old outcomes, events and
        -- changes. Keeps this row, which identifies the history for the next call. Returns the number of deleted rows.
        CREATE FUNCTION iprecord.sweep(
          p_fleet bigint, p_term bigint, p_leader text, p_epoch bigint, p_incarnation bigint, p_incarnation_id uuid,
          p_through bigint, p_through_id uuid, p_outcomes_through bigint, p_history_through bigint, p_limit bigint)
        RETURNS bigint LANGUAGE plpgsql AS $f$
        DECLARE deleted bigint; total bigint;
        BEGIN
          PERFORM iprecord.fence(p_fleet, p_term, p_leader, p_epoch, p_incarnation, p_incarnation_id);
          PERFORM 1 FROM iprecord.journal WHERE fleet = p_fleet AND seq = p_through AND id = p_through_id;
          IF NOT FOUND THEN RETURN 0; END IF;
          DELETE FROM iprecord.journal WHERE fleet = p_fleet AND seq IN (
            SELECT seq FROM iprecord.journal
            WHERE fleet = p_fleet AND seq < p_through ORDER BY seq LIMIT p_limit);
          GET DIAGNOSTICS total = ROW_COUNT;
          -- Proposals that arrived during their withdrawal or their commit. Without their outcomes, they would be made
          -- again.
          DELETE FROM iprecord.proposal p WHERE p.fleet = p_fleet AND EXISTS (
            SELECT FROM iprecord.outcome o WHERE o.fleet = p_fleet AND o.id = p.id);
          DELETE FROM iprecord.outcome WHERE fleet = p_fleet AND id IN (
            SELECT id FROM iprecord.outcome
            WHERE fleet = p_fleet AND seq <= p_outcomes_through ORDER BY seq LIMIT p_limit);
          GET DIAGNOSTICS deleted = ROW_COUNT;
          total := total + deleted;
          DELETE FROM iprecord.notice WHERE fleet = p_fleet AND (seq, position) IN (
            SELECT seq, position FROM iprecord.notice
            WHERE fleet = p_fleet AND seq <= p_history_through ORDER BY seq, position LIMIT p_limit);
          GET DIAGNOSTICS deleted = ROW_COUNT;
          total := total + deleted;
          DELETE FROM iprecord.change WHERE fleet = p_fleet AND (address, seq, position) IN (
            SELECT address, seq, position FROM iprecord.change
            WHERE fleet = p_fleet AND seq <= p_history_through ORDER BY seq LIMIT p_limit);
          GET DIAGNOSTICS deleted = ROW_COUNT;
          total := total + deleted;
          -- The numbers of these are taken now, so the rows would be refused anyway.
          DELETE FROM iprecord.operation WHERE fleet = p_fleet AND seq <= p_through;
          RETURN total;
        END $f$;

        -- Inserts the proposals that have no outcome and do not exist, if the incarnation and the server are these.
        CREATE FUNCTION iprecord.propose(
          p_fleet bigint, p_incarnation bigint, p_incarnation_id uuid, p_ids uuid[], p_nodes text[],
          p_users bigint[], p_bodies bytea[])
        RETURNS boolean LANGUAGE plpgsql AS $f$
        DECLARE expected record; actual record;
        BEGIN
          PERFORM iprecord.require_durability();
          SELECT f.system_id, f.timeline INTO expected FROM iprecord.fleet f
          WHERE f.id = p_fleet AND f.incarnation = p_incarnation AND f.incarnation_id = p_incarnation_id
          FOR KEY SHARE;
          IF NOT FOUND THEN RETURN false; END IF;
          SELECT * INTO actual FROM iprecord.server();
          IF (expected.system_id, expected.timeline) <> (actual.system_id, actual.timeline) THEN
            RETURN false;
          END IF;
          INSERT INTO iprecord.proposal (fleet, id, node, user_id, body)
          SELECT p_fleet, u.id, u.node, u.user_id, u.body
          FROM unnest(p_ids, p_nodes, p_users, p_bodies) AS u (id, node, user_id, body)
          WHERE NOT EXISTS (SELECT FROM iprecord.outcome o WHERE o.fleet = p_fleet AND o.id = u.id)
          ON CONFLICT (fleet, id) DO NOTHING;
          RETURN true;
        END $f$;

        -- Gives each proposal without an outcome the outcome "withdrawn". Returns the withdrawn ones.
        CREATE FUNCTION iprecord.withdraw(p_fleet bigint, p_ids uuid[]) RETURNS SETOF uuid
        LANGUAGE plpgsql AS $f$
        BEGIN
          PERFORM iprecord.require_durability();
          -- Writes the row, so that COMMIT waits for the standby even if all outcomes are known.
          PERFORM 1 FROM iprecord.fleet WHERE id = p_fleet FOR KEY SHARE;
          -- Sweeps delete outcomes by their numbers. With that of the next row, the outcome is kept for a whole
          -- retention after that row, even if it is inserted only after days.
          INSERT INTO iprecord.outcome (fleet, id, seq, position, reply)
          SELECT p_fleet, u.id,
            (SELECT coalesce(max(j.seq), 0) + 1 FROM iprecord.journal j WHERE j.fleet = p_fleet), 0, NULL
          FROM unnest(p_ids) AS u (id) ORDER BY u.id
          ON CONFLICT (fleet, id) DO NOTHING;
          DELETE FROM iprecord.proposal WHERE fleet = p_fleet AND id = ANY (p_ids);
          RETURN QUERY SELECT o.id FROM iprecord.outcome o
            WHERE o.fleet = p_fleet AND o.id = ANY (p_ids) AND o.reply IS NULL ORDER BY o.id;
        END $f$;
        """
}
