package io.idem.jdbc.autoconfigure;

import io.idem.internal.spring.OnStore;

/** Matches if {@code idem.store} asks for PostgreSQL, alone or behind Redis. */
final class OnPostgresStore extends OnStore {

    OnPostgresStore() {
        super("postgresql");
    }
}
