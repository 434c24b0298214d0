package io.idem.jdbc;

import static io.idem.jdbc.Leases.request;
import static org.assertj.core.api.Assertions.assertThat;

import io.idem.Inbox.Effect;
import io.idem.Inbox.InboxOutcome;
import io.idem.StoredResult;
import io.idem.jdbc.inbox.InboxSchema;
import io.idem.jdbc.inbox.JdbcInbox;
import io.idem.servers.junit.RequiresMySql;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;

/** Claims on MySQL behind work that is under way, whose sessions would wait for a lock for years. */
@Tag("extended")
@RequiresMySql
class MySqlWaitTest {

    private static final int DUPLICATES = 8;
    private static final Duration SOON = Duration.ofMinutes(5);
    private static final Effect NOTHING = new Effect(StoredResult.NONE, List.of());

    private final InboxDatabase database =
            MySqlInboxContractTest.with("?sessionVariables=innodb_lock_wait_timeout=1000000000");
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final CountDownLatch mayCommit = new CountDownLatch(1);
    private Future<InboxOutcome> first;

    @BeforeEach
    void beginWork() throws Exception {
        new InboxSchema(database.dataSource(), new JdbcTransactionManager(database.dataSource())).create();
        CountDownLatch begun = new CountDownLatch(1);
        JdbcInbox process = inboxOn(database.dataSource());
        first = threads.submit(() -> process.run(request("k", 1), mine -> {
            begun.countDown();
            mayCommit.await();
            return Optional.of(NOTHING);
        }));
        begun.await();
    }

    @AfterEach
    void close() throws Exception {
        mayCommit.countDown();
        first.get();
        threads.shutdownNow();
        database.close();
    }

    private static JdbcInbox inboxOn(DataSource dataSource) {
        return new JdbcInbox(dataSource, new JdbcTransactionManager(dataSource));
    }

    private Callable<InboxOutcome> duplicateIn(JdbcInbox process) {
        return () -> process.run(request("k", 2, Duration.ofHours(1)), mine -> {
            throw new AssertionError("ran beside the first");
        });
    }

    @Test
    void aDuplicateInAnotherProcessIsToldWhileTheWorkGoesOn() {
        Future<InboxOutcome> duplicate = threads.submit(duplicateIn(inboxOn(database.dataSource())));

        assertThat(duplicate).succeedsWithin(SOON).isEqualTo(new InboxOutcome.Open());
        assertThat(first).isNotDone();
    }

    @Test
    void duplicatesInOneProcessTakeOneConnectionBetweenThem() throws Exception {
        CountedConnections connections = new CountedConnections(database.dataSource());
        JdbcInbox another = inboxOn(connections);

        List<Future<InboxOutcome>> duplicates =
                threads.invokeAll(Collections.nCopies(DUPLICATES, duplicateIn(another)));

        for (Future<InboxOutcome> duplicate : duplicates) {
            assertThat(duplicate.get()).isEqualTo(new InboxOutcome.Open());
        }
        assertThat(connections.most).hasValue(1);
        assertThat(first).isNotDone();
    }

    @Test
    void theTransactionOfAClaimThatWasCancelledLeavesNothing() throws Exception {
        JdbcInbox another = inboxOn(database.dataSource());
        assertThat(duplicateIn(another).call()).isEqualTo(new InboxOutcome.Open());

        mayCommit.countDown();

        assertThat(first).succeedsWithin(SOON).isEqualTo(new InboxOutcome.Committed(NOTHING));
        assertThat(duplicateIn(another).call()).isEqualTo(new InboxOutcome.Found(NOTHING));
        assertThat(database.jdbc().queryForList("SELECT fence FROM idem_record")).hasSize(1);
    }

    /** Counts the connections that are open at a time. */
    private static final class CountedConnections extends DelegatingDataSource {

        private final AtomicInteger open = new AtomicInteger();
        private final AtomicInteger most = new AtomicInteger();

        CountedConnections(DataSource target) {
            super(target);
        }

        @Override
        public Connection getConnection() throws SQLException {
            Connection real = super.getConnection();
            most.accumulateAndGet(open.incrementAndGet(), Math::max);
            return (Connection) Proxy.newProxyInstance(
                    getClass().getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                        if (method.getName().equals("close")) {
                            open.decrementAndGet();
                        }
                        try {
                            return method.invoke(real, arguments);
                        } catch (InvocationTargetException thrown) {
                            throw thrown.getTargetException();
                        }
                    });
        }
    }
}
