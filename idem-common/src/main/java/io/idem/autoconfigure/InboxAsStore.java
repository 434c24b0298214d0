package io.idem.autoconfigure;

import io.idem.Inbox;
import io.idem.spi.IdempotencyStore;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.util.ClassUtils;

/** The checks of {@code idem.store=inbox} that need no database. */
final class InboxAsStore {

    private InboxAsStore() {}

    /**
     * Returns the inbox that is the store of its records.
     *
     * @throws InvalidSettingException if there is none, or a setting asks for what only another store has
     */
    static Inbox required(ObjectProvider<Inbox> inboxes, IdempotencyStore store, IdemProperties properties) {
        if (!properties.formerNames().isEmpty()) {
            throw new InvalidSettingException(
                    "idem.renamed-scopes",
                    "former names are looked up in a store, and idem.store=inbox has none; remove the setting and rename"
                            + " the scope in the rows of idem_inbox and idem_inbox_failure while no instance runs");
        }
        Inbox inbox = inboxes.getIfAvailable();
        if (inbox == null || inbox.failures().isEmpty()) {
            throw new InvalidSettingException(
                    StoreChoice.PROPERTY,
                    "inbox leaves no work to another store, but the application has a store of its own, "
                            + ClassUtils.getUserClass(store).getSimpleName()
                            + (inbox == null ? ", and no inbox" : ", or an inbox of its own that is not a store")
                            + "; remove that bean, or remove idem.store=inbox");
        }
        return inbox;
    }
}
