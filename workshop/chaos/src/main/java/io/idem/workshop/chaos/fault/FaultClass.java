package io.idem.workshop.chaos.fault;

import io.idem.workshop.chaos.stage.RabbitProgram;
import io.idem.workshop.chaos.stage.RedisSide;
import io.idem.workshop.chaos.worker.StoreKind;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** The kinds of faults. A phase injects faults of a single class. */
public enum FaultClass {
    /** No fault: losses and delays seen here are the laboratory's own. */
    NONE(Redis.SINGLE),
    /** SIGKILL to a worker at one of the nine step boundaries. */
    KILL(Redis.SINGLE),
    /** SIGSTOP to a worker beyond its lease. */
    FREEZE(Redis.SINGLE),
    /** SIGTERM to a worker. */
    TERM(Redis.SINGLE),
    /** SIGKILL to the intake at one of its step boundaries. */
    INTAKE(Redis.SINGLE),
    /** Redis is killed and started with its data. */
    REDIS_RESTART(Redis.SINGLE),
    /** Redis loses everything. */
    REDIS_LOSS(Redis.SINGLE),
    /** Redis is stopped with SIGSTOP for a while. */
    REDIS_FREEZE(Redis.SINGLE),
    /** Connections to Redis stay open, but nothing passes. */
    BLACK_HOLE(Redis.SINGLE),
    /** Replies of Redis are lost after execution. */
    REPLY_CUT(Redis.SINGLE),
    /** Connections to Redis are reset. */
    REDIS_CUT(Redis.SINGLE),
    /** Redis is out of memory. */
    FULL(Redis.SINGLE),
    /** Redis refuses every write for want of replicas, and answers what is read. */
    REFUSED_WRITES(Redis.SINGLE),
    /** Redis is made a replica, and a master again. */
    DEMOTED(Redis.SINGLE),
    /** Redis loses its scripts. */
    SCRIPT_FLUSH(Redis.SINGLE),
    /** A slow script of another client blocks Redis. */
    SLOW_SCRIPT(Redis.SINGLE),
    /** Connections to the AMQP broker are reset. */
    AMQP_CUT(Redis.SINGLE),
    /** Connections to the AMQP broker stay open, but nothing passes. */
    AMQP_BLACK_HOLE(Redis.SINGLE),
    /** RabbitMQ is killed and started with its data. */
    RABBIT_RESTART(Redis.SINGLE),
    /** A queue is unbound. */
    UNBOUND(Redis.SINGLE),
    /** Kafka is killed and started with its data. */
    KAFKA_RESTART(Redis.SINGLE),
    /** Kafka is stopped with SIGSTOP for a while. */
    KAFKA_FREEZE(Redis.SINGLE),
    /** Connections to Kafka are reset. */
    KAFKA_CUT(Redis.SINGLE),
    /** Connections to Kafka stay open, but nothing passes. */
    KAFKA_BLACK_HOLE(Redis.SINGLE),
    /** Workers end and are replaced in quick succession. */
    STORM(Redis.SINGLE),
    /** Consumer groups of Kafka are set back. */
    REWIND(Redis.SINGLE),
    /** Messages are published again past the intake. */
    DUPLICATE(Redis.SINGLE),
    /** Poison messages become dead letters, are cured and are redriven. */
    REDRIVE(Redis.SINGLE),
    /** Work takes longer than a lease, and copies of its message wait. */
    SLOW_WORK(Redis.SINGLE),
    /** Work takes long, copies of its message wait, and one of the waiting workers is killed. */
    BUSY(Redis.SINGLE),
    /**
     * A worker that was stopped before its work goes on after another one has done the work, and a copy of the message
     * arrives.
     */
    ZOMBIE(Redis.SINGLE),
    /** Redis loses everything, and copies of messages arrive. */
    AMNESIA(Redis.SINGLE),
    /** The master of the Sentinels is killed. */
    FAILOVER(Redis.GUARDED),
    /** A master of the cluster is killed. */
    CLUSTER_FAILOVER(Redis.CLUSTER),
    /** Slots of the cluster move from master to master. */
    SLOT_MOVE(Redis.CLUSTER),
    /** Redis's wall clock is set ahead or back for a while. */
    CLOCK_JUMP(Redis.SHIFTED),
    /** The database is killed and started with its data. */
    DB_RESTART(Redis.NONE),
    /** Connections to the database are reset. */
    DB_CUT(Redis.NONE),
    /** Connections to the database stay open, but nothing passes. */
    DB_BLACK_HOLE(Redis.NONE),
    /** A commit, or the answer to it, is lost with its connection. */
    COMMIT_CUT(Redis.NONE),
    /** The database ends the session of a worker between its claim and its commit. */
    SESSION_KILL(Redis.NONE),
    /** The outbox has rows whose messages no broker takes, and good ones behind them. */
    BAD_DESTINATION(Redis.NONE),
    /** Rows of the outbox are in the database of a tenant for whom no process works. */
    TENANTS(Redis.NONE);

    /** The kind of Redis that a class needs. */
    public enum Redis {
        /** A single server. */
        SINGLE,
        /** A master with replicas and Sentinels. */
        GUARDED,
        /** A cluster of three masters, each with a replica. */
        CLUSTER,
        /** A single server whose clock can be set. */
        SHIFTED,
        /** No Redis: the class is one of the database, and is played where the inbox is the store. */
        NONE
    }

    private final Redis redis;

    FaultClass(Redis redis) {
        this.redis = redis;
    }

    /** Returns the kind of Redis that the class needs. */
    public Redis redis() {
        return redis;
    }

    /** The classes that strike Redis or an intake, and so nothing where the inbox is the store. */
    private static final Set<FaultClass> WITH_REDIS = EnumSet.of(
            INTAKE,
            UNBOUND,
            REDIS_RESTART,
            REDIS_LOSS,
            REDIS_FREEZE,
            BLACK_HOLE,
            REPLY_CUT,
            REDIS_CUT,
            FULL,
            REFUSED_WRITES,
            DEMOTED,
            SCRIPT_FLUSH,
            SLOW_SCRIPT,
            AMNESIA,
            FAILOVER,
            CLUSTER_FAILOVER,
            SLOT_MOVE,
            CLOCK_JUMP);

    /** Returns whether the class strikes anything that workers with this store use. */
    public boolean concerns(StoreKind store) {
        return store == StoreKind.INBOX ? !WITH_REDIS.contains(this) : redis != Redis.NONE;
    }

    /** Returns the classes that concern workers with this store. */
    public static List<FaultClass> of(StoreKind store) {
        return Arrays.stream(values()).filter(each -> each.concerns(store)).toList();
    }

    /** Returns why the class cannot run on this machine; empty if it can. */
    public Optional<String> hindrance() {
        return switch (this) {
            case RABBIT_RESTART ->
                RabbitProgram.given().isEmpty()
                        ? Optional.of(id() + ": no RabbitMQ here that may be killed")
                        : Optional.empty();
            case CLOCK_JUMP -> RedisSide.Shifted.hindrance().map(why -> id() + ": " + why);
            default -> Optional.empty();
        };
    }

    /** Returns whether messages of the class are meant to be dead letters for a while. */
    public boolean makesDeadLetters() {
        return this == REDRIVE;
    }

    /**
     * Returns whether applications end or stand still: fewer remain for the load, and starting new ones takes most of a
     * small machine.
     */
    public boolean takesApplicationsAway() {
        return EnumSet.of(KILL, FREEZE, TERM, INTAKE, STORM, BUSY, ZOMBIE).contains(this);
    }

    /** Returns the name on the command line and in reports. */
    public String id() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
