package io.idem.jdbc.jpa;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import org.jspecify.annotations.Nullable;

/** An entry of the ledger, as an entity of the application. */
@Entity
@Table(name = "entry")
class Entry {

    @Id
    private @Nullable String name;

    @Column(nullable = false)
    private int amount;

    /** For JPA. */
    protected Entry() {}

    Entry(String name, int amount) {
        this.name = name;
        this.amount = amount;
    }

    int amount() {
        return amount;
    }

    void add(int more) {
        amount += more;
    }
}
