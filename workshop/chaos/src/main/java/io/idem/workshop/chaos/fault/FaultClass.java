package io.idem.workshop.chaos.fault;

import io.idem.workshop.chaos.stage.RabbitProgram;
import io.idem.workshop.chaos.stage.RedisSide;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;

/** The classes of faults. */
public enum FaultClass {
    /** None: what is seen here is the harness's own. */
    NONE(Redis.SINGLE),
    /** SIGKILL to a worker at one of the nine step boundaries. */
    KILL(Redis.SINGLE),
    /** SIGSTOP to a worker beyond its lease. */
    FREEZE(Redis.SINGLE),
    /** SIGTERM to a worker. */
    TERM(Redis.SINGLE),
    /** SIGKILL to the intake at one of its step boundaries. */
    INTAKE(Redis.SINGLE),
    /** Redis killed and started with its data. */
    REDIS_RESTART(Redis.SINGLE),
    /** Redis loses everything. */
    REDIS_LOSS(Redis.SINGLE),
    /** Redis frozen. */
    REDIS_FREEZE(Redis.SINGLE),
    /** Connections to Redis swallow everything. */
    BLACK_HOLE(Redis.SINGLE),
    /** Replies of Redis are lost after execution. */
    REPLY_CUT(Redis.SINGLE),
    /** Connections to Redis are reset. */
    REDIS_CUT(Redis.SINGLE),
    /** Redis is out of memory. */
    FULL(Redis.SINGLE),
    /** Redis forgets its scripts. */
    SCRIPT_FLUSH(Redis.SINGLE),
    /** Somebody's slow script. */
    SLOW_SCRIPT(Redis.SINGLE),
    /** Connections to the AMQP broker are reset. */
    AMQP_CUT(Redis.SINGLE),
    /** Connections to the AMQP broker swallow everything. */
    AMQP_BLACK_HOLE(Redis.SINGLE),
    /** RabbitMQ killed and started with its data. */
    RABBIT_RESTART(Redis.SINGLE),
    /** A queue is unbound. */
    UNBOUND(Redis.SINGLE),
    /** Kafka killed and started with its data. */
    KAFKA_RESTART(Redis.SINGLE),
    /** Kafka frozen. */
    KAFKA_FREEZE(Redis.SINGLE),
    /** Connections to Kafka are reset. */
    KAFKA_CUT(Redis.SINGLE),
    /** Connections to Kafka swallow everything. */
    KAFKA_BLACK_HOLE(Redis.SINGLE),
    /** Workers come and go. */
    STORM(Redis.SINGLE),
    /** Kafka's groups are set back. */
    REWIND(Redis.SINGLE),
    /** Messages are copied from elsewhere. */
    DUPLICATE(Redis.SINGLE),
    /** Poison messages become dead letters, are cured and come back. */
    REDRIVE(Redis.SINGLE),
    /** Work takes longer than a lease, and copies of its message wait. */
    SLOW_WORK(Redis.SINGLE),
    /** Work takes long, copies of its message wait, and one of those who may wait is killed. */
    BUSY(Redis.SINGLE),
    /** A worker that was stopped before its work goes on after another one has done it, and a copy of the message comes. */
    ZOMBIE(Redis.SINGLE),
    /** Redis loses everything, and copies of messages come. */
    AMNESIA(Redis.SINGLE),
    /** The master of the Sentinels is killed. */
    FAILOVER(Redis.GUARDED),
    /** A master of the cluster is killed. */
    CLUSTER_FAILOVER(Redis.CLUSTER),
    /** Slots of the cluster move from master to master. */
    SLOT_MOVE(Redis.CLUSTER),
    /** Redis's wall clock jumps ahead or back, and back again. */
    CLOCK_JUMP(Redis.SHIFTED);

    /** What a class needs Redis to be. */
    public enum Redis {
        /** One server. */
        SINGLE,
        /** Master, replicas and Sentinels. */
        GUARDED,
        /** A cluster of three masters, each with a replica. */
        CLUSTER,
        /** One server whose clock can be set. */
        SHIFTED
    }

    private final Redis redis;

    FaultClass(Redis redis) {
        this.redis = redis;
    }

    /** What it needs Redis to be. */
    public Redis redis() {
        return redis;
    }

    /** Why it cannot be done here; empty if it can. */
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

    /** Whether its messages are meant to be dead letters for a while. */
    public boolean makesDeadLetters() {
        return this == REDRIVE;
    }

    /** Whether applications end or stand still: fewer are left for the load, and starting new ones takes most of a small machine. */
    public boolean takesApplicationsAway() {
        return EnumSet.of(KILL, FREEZE, TERM, INTAKE, STORM, BUSY, ZOMBIE).contains(this);
    }

    /** What it is called on the command line and in reports. */
    public String id() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
