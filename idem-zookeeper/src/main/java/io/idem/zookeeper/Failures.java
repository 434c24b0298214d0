package io.idem.zookeeper;

import io.idem.StoreUnavailableException;
import io.idem.StoreUnavailableException.Execution;
import io.idem.spi.Stages;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.jspecify.annotations.Nullable;

/** Distinguishes failures after which nothing was executed from those after which that is unknown. */
final class Failures {

    /** The codes with which a server refuses a request, and a session that has ended, see {@link Session}. */
    private static final Set<Code> REFUSED = Set.of(
            Code.SESSIONEXPIRED,
            Code.SESSIONMOVED,
            Code.AUTHFAILED,
            Code.NOAUTH,
            Code.INVALIDACL,
            Code.NOTREADONLY,
            Code.NONODE,
            Code.QUOTAEXCEEDED,
            Code.THROTTLEDOP,
            Code.UNIMPLEMENTED);

    private Failures() {}

    static boolean is(@Nullable Throwable failure, Code code) {
        return failure instanceof KeeperException refused && refused.code() == code;
    }

    /** Returns whether a write was refused because the node is not as it was read. */
    static boolean isChanged(Throwable failure) {
        return is(failure, Code.BADVERSION) || isMissing(failure);
    }

    static boolean isMissing(Throwable failure) {
        return is(failure, Code.NONODE);
    }

    /** Returns an answer in place of an expected failure. Every other failure is thrown. */
    static <A> Stages.Otherwise<A> instead(Predicate<Throwable> expected, A answer) {
        return failure -> {
            if (!expected.test(failure)) {
                throw failure;
            }
            return answer;
        };
    }

    /** Returns the failure of a call that may change a record. */
    static RuntimeException ofWrite(String call, Throwable failure) {
        boolean refused = failure instanceof KeeperException answer && REFUSED.contains(answer.code());
        return of(call, failure, refused ? Execution.NOT_EXECUTED : Execution.UNKNOWN);
    }

    /** Returns the failure of a call that changes nothing. */
    static RuntimeException ofRead(String call, Throwable failure) {
        return of(call, failure, Execution.NOT_EXECUTED);
    }

    private static RuntimeException of(String call, Throwable failure, Execution execution) {
        if (!(failure instanceof KeeperException) && !(failure instanceof TimeoutException)) {
            return failure instanceof RuntimeException broken ? broken : new IllegalStateException(failure);
        }
        String why = failure instanceof TimeoutException ? "no answer in time" : String.valueOf(failure.getMessage());
        return StoreUnavailableException.of("ZooKeeper", call, why, execution, failure);
    }
}
