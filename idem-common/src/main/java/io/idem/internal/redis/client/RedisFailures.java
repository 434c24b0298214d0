package io.idem.internal.redis.client;

import static java.util.Map.entry;

import io.idem.StoreUnavailableException;
import io.idem.StoreUnavailableException.Execution;
import io.idem.redis.UnsuitableRedisException;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/**
 * Distinguishes failures after which nothing was executed from those after which that is unknown. In doubt it is
 * unknown, since every call may be repeated with the same owner token.
 */
public final class RedisFailures {

    /**
     * The message for a redirection. A store on a cluster follows redirections and sees one only if there were too many
     * in a row.
     */
    private static final String OF_ANOTHER_NODE =
            "it is a cluster node that leaves the record's slot to another one: either idem was"
                    + " given the address of a single server, then name the cluster's nodes instead (the program idem: --cluster), or the nodes send idem to one another and do not agree"
                    + " who serves the slot, then look at CLUSTER NODES on each";

    private static final String OF_ITS_USER = "its user lacks a permission: grant what docs/redis.md lists under ACL";

    /** The beginnings of errors that Redis answers before it runs a script, with their meaning for an operator. */
    private static final Map<String, String> REFUSALS = Map.ofEntries(
            entry("READONLY", "it is a replica: a failover is under way, or the address names a replica"),
            entry("LOADING", "it is loading its data after a start: wait until it is done"),
            entry("BUSY", "a long script of another client blocks it: end that with SCRIPT KILL"),
            entry("OOM", "it is out of memory: raise maxmemory or shorten the retention"),
            entry("NOREPLICAS", "it has fewer replicas than min-replicas-to-write asks for: bring replicas back"),
            entry("MISCONF", "it cannot save to its disk: free the disk, and see its log"),
            entry("MASTERDOWN", "it is a replica that has lost its master: let the address name the master"),
            entry("CLUSTERDOWN", "a part of the cluster is down: repair it"),
            entry("TRYAGAIN", "the cluster is moving the record"),
            entry("MOVED", OF_ANOTHER_NODE),
            entry("ASK", OF_ANOTHER_NODE),
            entry("CROSSSLOT", OF_ANOTHER_NODE),
            entry("NOSCRIPT", "it did not keep the script"),
            entry("NOAUTH", "it asks for a password: set it; Sentinels have one of their own"),
            entry("WRONGPASS", "it refuses the password: correct user and password"),
            entry("NOPERM", OF_ITS_USER),
            entry("ERR The user executing the script", OF_ITS_USER),
            entry("ERR unknown command", "it has no such command, or hides it"),
            entry("ERR max number of clients reached", "it takes no further clients: raise maxclients"));

    /** The first words of the refusals that concern writes alone: what is read is as true as before. */
    private static final Set<String> OF_WRITES = Set.of("OOM", "NOREPLICAS", "MISCONF", "NOPERM");

    /** The first words of answers that the master of a key does not give, or not while it can be used: it may be a former one. */
    private static final Set<String> OF_REPLICAS = Set.of("READONLY", "MASTERDOWN", "LOADING", "NOREPLICAS", "MOVED");

    /** The beginning of Lettuce's message about a command for which there is no connection. */
    static final String NOT_CONNECTED = "Currently not connected";

    /** Lettuce's messages about commands that it refused to send. */
    private static final List<String> NOT_SENT = List.of(
            NOT_CONNECTED,
            "Request queue size exceeded",
            "Internal stack size exceeded",
            "Command buffer size exceeded",
            "Connection is closed");

    private static final String DISCONNECTED = "Connection disconnected";
    private static final String TOO_LARGE =
            " (if always by this record, its result exceeds the server's client-output-buffer-limit)";

    private RedisFailures() {}

    /** Returns the exception for the caller. A failure that is neither of the network nor of Redis stays as it is. */
    public static Throwable classified(Object call, Throwable failure) {
        boolean bug = failure instanceof Error
                || (failure instanceof RuntimeException
                        && !(failure instanceof RedisException || failure instanceof CancellationException));
        return bug ? failure : unavailable(call.toString(), failure);
    }

    public static StoreUnavailableException unavailable(String call, Throwable failure) {
        String message = String.valueOf(failure.getMessage());
        if (failure instanceof NoConnectionException) {
            return notExecuted(call, message, Objects.requireNonNullElse(failure.getCause(), failure));
        }
        if (failure instanceof RedisCommandExecutionException) {
            return meaning(message).isEmpty()
                    ? unknown(call, "it answered " + message, failure)
                    : notExecuted(call, explained(message), failure);
        }
        if (failure instanceof RedisCommandTimeoutException) {
            return unknown(call, "it did not answer in time", failure);
        }
        return NOT_SENT.stream().anyMatch(message::startsWith)
                ? notExecuted(call, "it is not connected or its queue is full (" + message + ")", failure)
                : unknown(call, message.equals(DISCONNECTED) ? message + TOO_LARGE : message, failure);
    }

    /** Returns an error that Redis answered behind its meaning for an operator; an unknown one as it is. */
    static String explained(String message) {
        return meaning(message).map(meaning -> meaning + " (" + message + ")").orElse(message);
    }

    /** Returns the exception for a call that idem does not send, because the servers are unsuitable. */
    public static StoreUnavailableException unsuitable(String call, UnsuitableRedisException why) {
        return notExecuted(call, String.valueOf(why.getMessage()), why);
    }

    private static Optional<String> meaning(String message) {
        return REFUSALS.entrySet().stream()
                .filter(refusal -> (message + " ").startsWith(refusal.getKey() + " "))
                .map(Map.Entry::getValue)
                .findFirst();
    }

    private static StoreUnavailableException notExecuted(String call, String why, Throwable failure) {
        return StoreUnavailableException.of("Redis", call, why, Execution.NOT_EXECUTED, failure);
    }

    private static StoreUnavailableException unknown(String call, String why, Throwable failure) {
        return StoreUnavailableException.of("Redis", call, why, Execution.UNKNOWN, failure);
    }

    /** Returns the exception for an answer in which the replies to the records cannot be told apart. */
    public static StoreUnavailableException unreadable(Object call, Throwable failure) {
        return unknown(call.toString(), "its answer cannot be read (" + failure + ")", failure);
    }

    /** Returns the exception for a grant that too few replicas have confirmed and that was withdrawn. */
    public static StoreUnavailableException takenBack(Object call, String why) {
        return notExecuted(call.toString(), "the grant was withdrawn, since only " + why, new RedisException(why));
    }

    /** Returns the exception for a write that too few replicas have confirmed. */
    public static StoreUnavailableException unconfirmed(Object call, String why) {
        return new StoreUnavailableException(
                call + " may be lost in a failover: only " + why
                        + ". The call may be repeated with the same owner token",
                Execution.UNKNOWN,
                new RedisException(why));
    }

    /** Returns the error that Redis answered instead of executing a call; empty if it did not answer. */
    public static String answerOf(Throwable failure) {
        return failure.getCause() instanceof RedisCommandExecutionException answer ? messageOf(answer) : "";
    }

    /** Returns whether Redis refused a write and may still answer what is read. */
    public static boolean ofWrites(StoreUnavailableException failure) {
        return OF_WRITES.contains(firstWord(messageOf(failure.getCause())));
    }

    /** Returns whether a server answered as a replica does, or a master that is cut off from its replicas. */
    public static boolean ofReplica(Throwable failure) {
        return failure instanceof RedisCommandExecutionException && OF_REPLICAS.contains(firstWord(messageOf(failure)));
    }

    /** Returns whether the nodes of a cluster sent a call to one another until Lettuce gave up. */
    static boolean ofMovedSlot(Throwable failure) {
        return firstWord(messageOf(failure)).equals("MOVED");
    }

    /** Returns whether Redis found another type of value than a string under a key. */
    public static boolean wrongType(StoreUnavailableException failure) {
        return firstWord(messageOf(failure.getCause())).equals("WRONGTYPE");
    }

    /** Returns whether a server does not offer a command, as hosted ones do. */
    static boolean hidden(Throwable failure) {
        String message = messageOf(failure);
        return message.startsWith("NOPERM") || message.startsWith("ERR unknown command");
    }

    private static String messageOf(@Nullable Throwable failure) {
        return failure == null ? "" : String.valueOf(failure.getMessage());
    }

    private static String firstWord(String message) {
        int end = message.indexOf(' ');
        return end < 0 ? message : message.substring(0, end);
    }
}
