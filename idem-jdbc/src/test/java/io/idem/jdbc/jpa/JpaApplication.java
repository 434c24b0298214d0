package io.idem.jdbc.jpa;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.idem.ExecutionPolicy;
import io.idem.IdempotencyKey;
import io.idem.Operation;
import io.idem.Outcome;
import io.idem.Scope;
import io.idem.StoredResult;
import io.idem.Work;
import io.idem.WorkResult;
import io.idem.engine.IdempotentExecutor;
import io.idem.jdbc.TestDatabase;
import io.idem.jdbc.inbox.InboxSchema;
import io.idem.jdbc.inbox.JdbcInbox;
import io.idem.memory.InMemoryIdempotencyStore;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.orm.jpa.LocalContainerEntityManagerFactoryBean;
import org.springframework.orm.jpa.SharedEntityManagerCreator;
import org.springframework.orm.jpa.vendor.HibernateJpaVendorAdapter;
import org.springframework.transaction.support.TransactionTemplate;

/** The parts that Spring Boot gives an application with JPA, a pool and an inbox. */
final class JpaApplication implements AutoCloseable {

    private static final ExecutionPolicy POLICY = ExecutionPolicy.of(Duration.ofMinutes(5), Duration.ofDays(1));

    private final TestDatabase database = new TestDatabase();
    private final HikariDataSource pool;
    private final EntityManagerFactory factory;
    private final EntityManager entities;
    private final JpaTransactionManager manager;
    private final InboxSchema schema;
    private final IdempotentExecutor executor = IdempotentExecutor.on(new InMemoryIdempotencyStore(Clock.systemUTC()))
            .build();

    /**
     * Starts the application.
     *
     * @param autoCommit whether connections of the pool commit each statement by themselves
     * @param hibernate settings of Hibernate
     */
    JpaApplication(boolean autoCommit, Map<String, ?> hibernate) {
        database.jdbc()
                .execute("CREATE TABLE entry (name text PRIMARY KEY, amount integer NOT NULL CHECK (amount > 0))");
        HikariConfig settings = new HikariConfig();
        settings.setDataSource(database.dataSource());
        settings.setMaximumPoolSize(4);
        settings.setAutoCommit(autoCommit);
        pool = new HikariDataSource(settings);
        factory = factory(hibernate);
        entities = SharedEntityManagerCreator.createSharedEntityManager(factory);
        manager = new JpaTransactionManager(factory);
        manager.setNestedTransactionAllowed(true);
        manager.afterPropertiesSet();
        schema = new InboxSchema(pool, manager);
    }

    private EntityManagerFactory factory(Map<String, ?> hibernate) {
        LocalContainerEntityManagerFactoryBean bean = new LocalContainerEntityManagerFactoryBean();
        bean.setDataSource(pool);
        bean.setPackagesToScan(Entry.class.getPackageName());
        bean.setJpaVendorAdapter(new HibernateJpaVendorAdapter());
        bean.setJpaPropertyMap(hibernate);
        bean.afterPropertiesSet();
        return Objects.requireNonNull(bean.getObject());
    }

    EntityManagerFactory factory() {
        return factory;
    }

    /** Returns the entity manager of the transaction of the thread, or of its open view. */
    EntityManager entities() {
        return entities;
    }

    HikariDataSource pool() {
        return pool;
    }

    TransactionTemplate transaction(int propagation) {
        TransactionTemplate template = new TransactionTemplate(manager);
        template.setPropagationBehavior(propagation);
        return template;
    }

    InboxSchema schema() {
        return schema;
    }

    /** Runs work in the inbox, whose table exists. */
    Outcome<String> execute(String key, Runnable work) throws Exception {
        Work<String> answering = context -> {
            work.run();
            return new WorkResult.Complete<>(key, StoredResult.NONE);
        };
        Operation operation = Operation.of(IdempotencyKey.of(key), new Scope("entries"), POLICY);
        return executor.execute(operation.withInbox(new JdbcInbox(pool, manager)), answering);
    }

    /** Returns the committed amount of an entry; zero if there is none. */
    int amount(String name) {
        return database.count("SELECT coalesce(sum(amount), 0) FROM entry WHERE name = ?", name);
    }

    int inboxRows() {
        return database.inboxRows();
    }

    @Override
    public void close() {
        executor.close();
        factory.close();
        pool.close();
        database.close();
    }
}
