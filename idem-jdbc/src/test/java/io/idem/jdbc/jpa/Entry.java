package io.idem.jdbc.jpa;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.PostPersist;
import jakarta.persistence.Table;
import jakarta.persistence.Transient;
import org.jspecify.annotations.Nullable;

/** An entry of the ledger, as an entity of the application. */
@Entity
@Table(name = "entry")
class Entry {

    @Id
    private @Nullable String name;

    @Column(nullable = false)
    private int amount;

    @Transient
    private @Nullable Runnable insertion;

    /** For JPA. */
    protected Entry() {}

    Entry(String name, int amount) {
        this.name = name;
        this.amount = amount;
    }

    /** Sets what a listener of the entity does when it has been inserted, by a flush. */
    Entry onInsertion(Runnable action) {
        insertion = action;
        return this;
    }

    @PostPersist
    void inserted() {
        if (insertion != null) {
            insertion.run();
        }
    }

    int amount() {
        return amount;
    }

    void add(int more) {
        amount += more;
    }
}
