package io.idem.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.StoreUnavailableException;
import io.idem.StoreUnavailableException.Execution;
import io.idem.spi.Stages;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.AsyncCallback.StatCallback;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Requests of a session that has ended, or ends while they are under way. */
class SessionTest {

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    @ParameterizedTest
    @EnumSource(names = {"SESSIONEXPIRED", "AUTHFAILED"})
    void aRequestThatWasSentMayHaveBeenExecuted(Code end) throws Exception {
        try (EndingClient client = new EndingClient(end)) {
            assertThat(execution(client)).isEqualTo(Execution.UNKNOWN);
        }
    }

    @Test
    void aRequestIsNotSentWhenTheSessionHasEnded() throws Exception {
        EndingClient client = new EndingClient(Code.CONNECTIONLOSS);
        client.close();

        assertThat(execution(client)).isEqualTo(Execution.NOT_EXECUTED);
    }

    private static Execution execution(ZooKeeper client) {
        Session session = new Session(client, new Layout("/test"), ZooDefs.Ids.OPEN_ACL_UNSAFE, PATIENCE);
        CompletableFuture<Execution> execution = Stages.handle(
                session.write("/test/a", new byte[0], 0),
                stat -> {
                    throw new AssertionError("Nothing answers");
                },
                failure -> ((StoreUnavailableException) Failures.ofWrite("a call", failure)).execution());
        return execution.join();
    }

    /** A client that ends a request as its session ends. */
    private static final class EndingClient extends ZooKeeper {

        private final Code end;

        EndingClient(Code end) throws IOException {
            super("127.0.0.1:1", Math.toIntExact(PATIENCE.toMillis()), event -> {});
            this.end = end;
        }

        @Override
        public void setData(String path, byte[] data, int version, StatCallback callback, Object context) {
            callback.processResult(end.intValue(), path, context, null);
        }
    }
}
