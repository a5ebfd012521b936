extension FleetSchema {
    /// The functions for the lease and the nodes.
    ///
    /// Functions are volatile, so each of their statements sees what was committed before it began (READ COMMITTED). A
    /// condition of a statement that waits for a lock names only columns of the locked row, because PostgreSQL checks
    /// only these again after the wait.
    static let lease = """
        -- The server's identity: that of the cluster, and the timeline, which changes at each promotion. The control
        -- file, which pg_control_checkpoint() reads, shows the new timeline only after a checkpoint.
        CREATE FUNCTION iprecord.server(OUT system_id bigint, OUT timeline integer)
        LANGUAGE sql VOLATILE AS $f$
          SELECT system_identifier, ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::integer
          FROM pg_control_system();
        $f$;

        CREATE FUNCTION iprecord.now_ms() RETURNS bigint
        LANGUAGE sql VOLATILE AS $f$
          SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint;
        $f$;

        -- Makes COMMIT wait for the disk, and for the standby if there is a synchronous one.
        CREATE FUNCTION iprecord.require_durability() RETURNS void
        LANGUAGE plpgsql AS $f$
        BEGIN
          IF current_setting('synchronous_commit') NOT IN ('on', 'remote_apply') THEN
            PERFORM set_config('synchronous_commit', 'on', true);
          END IF;
        END $f$;

        -- Inserts the row of a fleet, unless it exists.
        CREATE FUNCTION iprecord.create_fleet(p_name text, p_incarnation_id uuid) RETURNS void
        LANGUAGE plpgsql AS $f$
        BEGIN
          INSERT INTO iprecord.fleet (name, incarnation_id, system_id, timeline)
          SELECT p_name, p_incarnation_id, s.system_id, s.timeline FROM iprecord.server() s
          ON CONFLICT (name) DO NOTHING;
        END $f$;

        -- Requires that this is the server whose identity a row has.
        CREATE FUNCTION iprecord.require_server(p_system bigint, p_timeline bigint) RETURNS void
        LANGUAGE plpgsql AS $f$
        DECLARE actual record;
        BEGIN
          SELECT * INTO actual FROM iprecord.server();
          IF (p_system, p_timeline) <> (actual.system_id, actual.timeline) THEN
            RAISE EXCEPTION 'the server is cluster % on timeline %, instead of % on %', actual.system_id,
              actual.timeline, p_system, p_timeline USING ERRCODE = '\(FleetSQLState.otherServer)';
          END IF;
        END $f$;

        -- Begins each transaction of a leader: requires that it still leads, and keeps others from taking over until
        -- the transaction ends.
        CREATE FUNCTION iprecord.fence(
          p_fleet bigint, p_term bigint, p_leader text, p_epoch bigint, p_incarnation bigint, p_incarnation_id uuid)
        RETURNS void LANGUAGE plpgsql AS $f$
        DECLARE expected record;
        BEGIN
          PERFORM iprecord.require_durability();
          SELECT f.system_id, f.timeline INTO expected FROM iprecord.fleet f
          WHERE f.id = p_fleet AND f.term = p_term AND f.leader = p_leader AND f.leader_epoch = p_epoch
            AND f.incarnation = p_incarnation AND f.incarnation_id = p_incarnation_id
          FOR KEY SHARE;
          IF NOT FOUND THEN
            RAISE EXCEPTION 'the lease of term % is lost', p_term USING ERRCODE = '\(FleetSQLState.leaseLost)';
          END IF;
          PERFORM iprecord.require_server(expected.system_id, expected.timeline);
        END $f$;

        -- Inserts the row of a node that has none, or replaces the row if its epoch and beat are unchanged.
        CREATE FUNCTION iprecord.register(
          p_fleet bigint, p_id text, p_name text, p_epoch bigint, p_machine text, p_has_route boolean,
          p_version text, p_encoding bigint, p_applied bigint, p_old_epoch bigint, p_old_beat bigint)
        RETURNS boolean LANGUAGE plpgsql AS $f$
        BEGIN
          PERFORM iprecord.require_durability();
          IF p_old_epoch IS NULL THEN
            INSERT INTO iprecord.node VALUES (
              p_fleet, p_id, p_name, p_epoch, p_machine, 0, p_has_route, NULL, p_version, p_encoding, p_applied,
              false, iprecord.now_ms())
            ON CONFLICT (fleet, id) DO NOTHING;
          ELSE
            UPDATE iprecord.node SET name = p_name, epoch = p_epoch, machine = p_machine, beat = beat + 1,
              has_route = p_has_route, version = p_version, encoding = p_encoding, applied = p_applied,
              has_left = false, beat_at = iprecord.now_ms()
            WHERE fleet = p_fleet AND id = p_id AND epoch = p_old_epoch AND beat = p_old_beat;
          END IF;
          RETURN FOUND;
        END $f$;

        -- A heartbeat of a node and, if p_term is not NULL, of the leader.
        CREATE FUNCTION iprecord.beat(
          p_fleet bigint, p_node text, p_epoch bigint, p_has_route boolean, p_applied bigint, p_term bigint,
          p_incarnation bigint, p_incarnation_id uuid, p_clock bigint, p_known_beat bigint, p_has_succeeded boolean,
          OUT is_registered boolean, OUT is_lease_held boolean)
        LANGUAGE plpgsql AS $f$
        DECLARE actual record;
        BEGIN
          PERFORM iprecord.require_durability();
          is_lease_held := false;
          UPDATE iprecord.node
          SET beat = beat + 1, has_route = p_has_route, applied = p_applied, beat_at = iprecord.now_ms()
          WHERE fleet = p_fleet AND id = p_node AND epoch = p_epoch;
          is_registered := FOUND;
          IF NOT is_registered OR p_term IS NULL THEN RETURN; END IF;
          SELECT * INTO actual FROM iprecord.server();
          UPDATE iprecord.fleet
          SET beat = beat + 1, clock = p_clock, known_beat = p_known_beat, beat_at = iprecord.now_ms(),
            succeeded_term = CASE WHEN p_has_succeeded THEN p_term ELSE succeeded_term END
          WHERE id = p_fleet AND term = p_term AND leader = p_node AND leader_epoch = p_epoch
            AND incarnation = p_incarnation AND incarnation_id = p_incarnation_id
            AND system_id = actual.system_id AND timeline = actual.timeline;
          is_lease_held := FOUND;
        END $f$;

        -- Makes a node the leader, if the row and the server are as the node has read them.
        CREATE FUNCTION iprecord.take_over(
          p_fleet bigint, p_term bigint, p_beat bigint, p_incarnation bigint, p_incarnation_id uuid, p_leader text,
          p_epoch bigint)
        RETURNS boolean LANGUAGE plpgsql AS $f$
        DECLARE expected record;
        BEGIN
          PERFORM iprecord.require_durability();
          UPDATE iprecord.fleet
          SET term = term + 1, leader = p_leader, leader_epoch = p_epoch, beat = beat + 1, clock = 0, known_beat = 0,
            is_handed_over = false
          WHERE id = p_fleet AND term = p_term AND beat = p_beat AND incarnation = p_incarnation
            AND incarnation_id = p_incarnation_id
          RETURNING system_id, timeline INTO expected;
          IF NOT FOUND THEN RETURN false; END IF;
          PERFORM iprecord.require_server(expected.system_id, expected.timeline);
          RETURN true;
        END $f$;

        -- Makes another node the leader, if that node runs with this epoch.
        CREATE FUNCTION iprecord.hand_over(
          p_fleet bigint, p_term bigint, p_leader text, p_epoch bigint, p_incarnation bigint, p_incarnation_id uuid,
          p_successor text, p_successor_epoch bigint, p_has_failed boolean)
        RETURNS boolean LANGUAGE plpgsql AS $f$
        BEGIN
          PERFORM iprecord.fence(p_fleet, p_term, p_leader, p_epoch, p_incarnation, p_incarnation_id);
          PERFORM 1 FROM iprecord.node
          WHERE fleet = p_fleet AND id = p_successor AND epoch = p_successor_epoch AND NOT has_left
          FOR SHARE;
          IF NOT FOUND THEN RETURN false; END IF;
          IF p_has_failed THEN
            UPDATE iprecord.node SET failed_term = p_term WHERE fleet = p_fleet AND id = p_leader;
          END IF;
          UPDATE iprecord.fleet
          SET term = term + 1, leader = p_successor, leader_epoch = p_successor_epoch, beat = beat + 1, clock = 0,
            known_beat = 0, is_handed_over = true
          WHERE id = p_fleet;
          RETURN true;
        END $f$;

        -- Begins a new incarnation on this server, without a leader. The term changes as well, so that every fence
        -- of an earlier incarnation fails.
        CREATE FUNCTION iprecord.raise_incarnation(
          p_fleet bigint, p_incarnation bigint, p_incarnation_id uuid, p_system bigint, p_timeline bigint,
          p_new_incarnation bigint, p_new_incarnation_id uuid, p_new_system bigint, p_new_timeline bigint)
        RETURNS boolean LANGUAGE plpgsql AS $f$
        BEGIN
          PERFORM iprecord.require_durability();
          PERFORM iprecord.require_server(p_new_system, p_new_timeline);
          UPDATE iprecord.fleet
          SET incarnation = p_new_incarnation, incarnation_id = p_new_incarnation_id, system_id = p_new_system,
            timeline = p_new_timeline, term = term + 1, leader = NULL, leader_epoch = NULL, beat = beat + 1,
            clock = 0, known_beat = 0, is_handed_over = false
          WHERE id = p_fleet AND incarnation = p_incarnation AND incarnation_id = p_incarnation_id
            AND system_id = p_system AND timeline = p_timeline;
          IF NOT FOUND THEN RETURN false; END IF;
          -- A restored proposal may have been withdrawn. Its node proposes it again.
          DELETE FROM iprecord.proposal WHERE fleet = p_fleet;
          RETURN true;
        END $f$;

        -- Replaces the settings of all nodes, if they are unchanged.
        CREATE FUNCTION iprecord.change_settings(p_fleet bigint, p_old text, p_new text) RETURNS boolean
        LANGUAGE plpgsql AS $f$
        BEGIN
          PERFORM iprecord.require_durability();
          UPDATE iprecord.fleet SET settings = p_new WHERE id = p_fleet AND settings = p_old;
          RETURN FOUND;
        END $f$;

        CREATE FUNCTION iprecord.leave(p_fleet bigint, p_node text, p_epoch bigint) RETURNS boolean
        LANGUAGE plpgsql AS $f$
        BEGIN
          PERFORM iprecord.require_durability();
          UPDATE iprecord.node SET has_left = true WHERE fleet = p_fleet AND id = p_node AND epoch = p_epoch;
          RETURN FOUND;
        END $f$;

        -- Terminates the sessions that have locked the row of the fleet and wait for their clients. A session that
        -- waits for the standby has the wait event IPC/SyncRep.
        CREATE FUNCTION iprecord.terminate_blockers(p_fleet bigint, OUT terminated bigint, OUT refused bigint)
        LANGUAGE plpgsql AS $f$
        DECLARE locker xid; lockers xid[]; blocker record;
        BEGIN
          terminated := 0;
          refused := 0;
          SELECT xmax INTO locker FROM iprecord.fleet WHERE id = p_fleet;
          lockers := ARRAY[locker];
          BEGIN
            -- The lock of several transactions is that of a multixact, whose number looks like that of a transaction.
            lockers := lockers || ARRAY (SELECT m.xid FROM pg_get_multixact_members(locker) m);
          EXCEPTION
            -- No transaction has locked the row: 0 is not the number of a multixact.
            WHEN invalid_parameter_value THEN NULL;
            -- The number is that of a transaction, and no multixact has it yet or any longer. PostgreSQL has no code of
            -- its own for this.
            WHEN internal_error THEN NULL;
          END;
          FOR blocker IN
            SELECT a.pid FROM pg_stat_activity a
            WHERE a.wait_event_type = 'Client' AND a.pid <> pg_backend_pid()
              AND EXISTS (
                SELECT FROM pg_locks l
                WHERE l.pid = a.pid AND l.locktype = 'transactionid' AND l.transactionid = ANY (lockers) AND l.granted)
              AND EXISTS (
                SELECT FROM pg_locks l
                WHERE l.pid = a.pid AND l.locktype = 'relation' AND l.relation = 'iprecord.fleet'::regclass
                  AND l.database = (SELECT d.oid FROM pg_database d WHERE d.datname = current_database()))
          LOOP
            BEGIN
              IF pg_terminate_backend(blocker.pid) THEN terminated := terminated + 1; END IF;
            EXCEPTION WHEN insufficient_privilege THEN
              refused := refused + 1;
            END;
          END LOOP;
        END $f$;
        """
}
