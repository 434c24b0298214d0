package io.idem.internal.redis.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.StoreUnavailableException.Execution;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandInterruptedException;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisException;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class RedisFailuresTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "READONLY You can't write against a read only replica. script: 3d5, on @user_script:40.",
                "LOADING Redis is loading the dataset in memory",
                "BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.",
                "OOM command not allowed when used memory > 'maxmemory'.",
                "NOREPLICAS Not enough good replicas to write.",
                "MISCONF Redis is configured to save RDB snapshots, but it is currently not able to persist on disk.",
                "CROSSSLOT Keys in request don't hash to the same slot",
                "CLUSTERDOWN The cluster is down",
                "MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.",
                "NOAUTH Authentication required.",
                "NOPERM this user has no permissions to run the 'evalsha' command",
                "ERR unknown command 'EVALSHA', with args beginning with: ",
                "ERR max number of clients reached",
                "ERR The user executing the script can't run this command or subcommand script: 7390, on @user_script:40.",
            })
    void anErrorBeforeTheScriptRanMeansThatNothingWasExecuted(String error) {
        assertThat(RedisFailures.unavailable("ACQUIRE", new RedisCommandExecutionException(error)))
                .hasMessageContainingAll("ACQUIRE", error)
                .extracting("execution")
                .isEqualTo(Execution.NOT_EXECUTED);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Currently not connected. Commands are rejected.",
                "Request queue size exceeded: 1. Commands are not accepted until the queue size drops.",
                "Internal stack size exceeded: 1. Commands are not accepted until the stack size drops.",
                "Connection is closed",
            })
    void aCommandThatWasNotSentWasNotExecuted(String message) {
        assertThat(RedisFailures.unavailable("ACQUIRE", new RedisException(message))
                        .execution())
                .isEqualTo(Execution.NOT_EXECUTED);
    }

    static Stream<RedisException> unknown() {
        return Stream.of(
                new RedisCommandTimeoutException("Command timed out after 1 second(s)"),
                new RedisException("Connection disconnected"),
                new RedisException("Connection closed"),
                new RedisCommandInterruptedException(new InterruptedException()),
                new RedisCommandExecutionException("ERR something new"));
    }

    @ParameterizedTest
    @MethodSource("unknown")
    void everythingElseMayHaveBeenExecuted(RedisException failure) {
        assertThat(RedisFailures.unavailable("ACQUIRE", failure).execution()).isEqualTo(Execution.UNKNOWN);
    }

    @ParameterizedTest
    @CsvSource({
        "OOM command not allowed, true, false",
        "MISCONF Redis is configured to save RDB snapshots, true, false",
        "NOREPLICAS Not enough good replicas to write., true, true",
        "NOPERM User shop has no permissions to run a command, true, false",
        "LOADING Redis is loading the dataset in memory, false, true",
        "READONLY You cannot write against a read only replica., false, true",
        "MASTERDOWN Link with MASTER is down, false, true",
        "MOVED 866 shop-0001.cache:6379, false, true",
        "BUSY Redis is busy running a script, false, false"
    })
    void refusalsOfWritesAndAnswersOfReplicasAreToldApart(String answer, boolean ofWrites, boolean ofReplica) {
        RedisCommandExecutionException failure = new RedisCommandExecutionException(answer);

        assertThat(RedisFailures.ofWrites(RedisFailures.unavailable("ACQUIRE", failure)))
                .isEqualTo(ofWrites);
        assertThat(RedisFailures.ofReplica(failure)).isEqualTo(ofReplica);
    }
}
