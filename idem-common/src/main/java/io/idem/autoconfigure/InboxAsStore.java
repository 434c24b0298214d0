package io.idem.autoconfigure;

import io.idem.Inbox;
import io.idem.engine.IdempotentExecutor;
import io.idem.internal.spring.InvalidSettingException;
import io.idem.spi.IdempotencyStore;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.util.ClassUtils;

/** The checks of {@code idem.store=inbox} that need no database. */
final class InboxAsStore {

    private InboxAsStore() {}

    /**
     * Returns the inbox that is the store.
     *
     * @throws InvalidSettingException if there is no such inbox
     */
    static Inbox required(ObjectProvider<Inbox> inboxes, IdempotencyStore store) {
        requireRows(store);
        Inbox inbox = inboxes.getIfAvailable();
        if (inbox == null) {
            throw refused("the application has no inbox; add idem-jdbc, or remove idem.store=inbox");
        }
        if (inbox.failures().isEmpty()) {
            throw refused("the application's own inbox, " + name(inbox)
                    + ", is not a store; return new JdbcInbox(...).asStore(store) from that bean, remove it, or remove"
                    + " idem.store=inbox");
        }
        return inbox;
    }

    /**
     * Returns the inbox of an executor, which may be the application's own.
     *
     * @throws InvalidSettingException if its work is recorded elsewhere than in the rows that the store reads
     */
    static Inbox of(IdempotentExecutor executor, IdempotencyStore store) {
        requireRows(store);
        Inbox inbox = executor.inbox().orElse(null);
        if (inbox == null || inbox.failures().isEmpty()) {
            throw refused("the application's own IdempotentExecutor has "
                    + (inbox == null ? "no inbox" : "an inbox that is not a store, " + name(inbox))
                    + "; build it by IdempotentExecutor.on(store).inbox(inbox) with the beans of types IdempotencyStore"
                    + " and Inbox, remove that bean, or remove idem.store=inbox");
        }
        return inbox;
    }

    private static void requireRows(IdempotencyStore store) {
        if (!(store instanceof Inbox.Failures)) {
            throw refused("the application has a store of its own, " + name(store)
                    + ", which does not read the rows of the inbox; remove that bean, keep post-processors from wrapping"
                    + " the bean idemStore, or remove idem.store=inbox");
        }
    }

    private static InvalidSettingException refused(String why) {
        return new InvalidSettingException(StoreChoice.PROPERTY, "inbox leaves no work to another store, but " + why);
    }

    private static String name(Object bean) {
        return ClassUtils.getUserClass(bean).getSimpleName();
    }
}
