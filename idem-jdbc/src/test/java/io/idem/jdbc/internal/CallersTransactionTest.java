package io.idem.jdbc.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.idem.jdbc.TestDatabase;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Statements of idem inside an open transaction of the caller, by data sources that hand out its connection. */
@Tag("servers")
class CallersTransactionTest {

    private static final String INSERT = "INSERT INTO ledger VALUES ('of idem')";

    private static final Named<Consumer<DataSource>> ALONE = Named.of(
            "alone",
            dataSource -> new StoreConnections(dataSource, Duration.ofSeconds(5))
                    .call("an insert", INSERT, statement -> statement.executeUpdate()));

    private static final Named<Consumer<DataSource>> TRANSACTION = Named.of(
            "in a transaction", dataSource -> new OwnTransactions(dataSource).run(jdbc -> jdbc.update(INSERT)));

    static final List<Named<Consumer<DataSource>>> STATEMENTS = List.of(ALONE, TRANSACTION);

    private static final List<Named<UnaryOperator<DataSource>>> WRAPPINGS = List.of(
            Named.of("none", pool -> pool),
            Named.of("aware", TransactionAwareDataSourceProxy::new),
            Named.of("decorated", pool -> new DelegatingDataSource(new TransactionAwareDataSourceProxy(pool))),
            Named.of("lazy", pool -> new LazyConnectionDataSourceProxy(new TransactionAwareDataSourceProxy(pool))),
            Named.of("twice", pool -> new TransactionAwareDataSourceProxy(new TransactionAwareDataSourceProxy(pool))),
            Named.of(
                    "aware of routes",
                    pool -> new DelegatingDataSource(new TransactionAwareDataSourceProxy(routing(pool)))),
            Named.of("proxied", pool -> {
                DataSource aware = new TransactionAwareDataSourceProxy(pool);
                return (DataSource) Proxy.newProxyInstance(
                        CallersTransactionTest.class.getClassLoader(),
                        new Class<?>[] {DataSource.class},
                        (proxy, method, arguments) -> method.invoke(aware, arguments));
            }));

    private final TestDatabase database = new TestDatabase();
    private final HikariDataSource pool = database.pool(4);

    @AfterEach
    void close() {
        database.close();
    }

    static Stream<Arguments> wrappings() {
        return STATEMENTS.stream().flatMap(how -> WRAPPINGS.stream().map(wrapping -> Arguments.of(how, wrapping)));
    }

    @ParameterizedTest
    @MethodSource("wrappings")
    void statementsAreCommittedApartFromTheCaller(Consumer<DataSource> statement, UnaryOperator<DataSource> wrapping) {
        inTransactionRolledBack(() -> statement.accept(wrapping.apply(pool)));

        assertThat(database.ledger()).containsExactly("of idem");
    }

    @ParameterizedTest
    @FieldSource("STATEMENTS")
    void theCallersConnectionBehindRoutesIsRefused(Consumer<DataSource> statement) {
        DataSource routes = routing(new TransactionAwareDataSourceProxy(pool));

        inTransactionRolledBack(() -> assertThatThrownBy(() -> statement.accept(routes))
                .hasStackTraceContaining("TransactionAwareDataSourceProxy"));
        assertThat(database.ledger()).isEmpty();

        statement.accept(routes);
        assertThat(database.ledger()).containsExactly("of idem");
    }

    private void inTransactionRolledBack(Runnable statements) {
        new TransactionTemplate(new JdbcTransactionManager(pool)).executeWithoutResult(status -> {
            new JdbcTemplate(pool).update("INSERT INTO ledger VALUES ('of the caller')");
            statements.run();
            status.setRollbackOnly();
        });
    }

    private static DataSource routing(DataSource target) {
        AbstractRoutingDataSource routing = new AbstractRoutingDataSource() {
            @Override
            protected Object determineCurrentLookupKey() {
                return "one";
            }
        };
        routing.setTargetDataSources(Map.of("one", target));
        routing.afterPropertiesSet();
        return routing;
    }
}
