package io.idem.jdbc;

import static io.idem.internal.value.Arguments.require;

import javax.sql.DataSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/**
 * A data source with the name of the schema (on MariaDB and MySQL: of the database) that contains idem's tables. The inbox, the
 * outbox and the store put the name before that of each table; without it the tables are found by the search path of
 * the connection. Give the data source inside to transaction managers. Thread-safe.
 */
public final class SchemaDataSource extends DelegatingDataSource {

    /** The syntax of a name. */
    public static final String NAME_SYNTAX = "[A-Za-z_][A-Za-z0-9_]{0,62}";

    private final String schema;

    /**
     * Creates a data source whose connections are those of the given one.
     *
     * @param schema the name, which PostgreSQL reads in lower case; must exist, idem creates no schemas
     * @throws IllegalArgumentException if the name has other characters than letters, digits and underscores
     */
    public SchemaDataSource(DataSource dataSource, String schema) {
        super(dataSource);
        require(
                schema.matches(NAME_SYNTAX),
                "The schema \"" + schema + "\" is not a name of at most 63 letters, digits and underscores");
        this.schema = schema;
    }

    public String schema() {
        return schema;
    }

    /** Returns the data source by which transactions are bound to their threads. */
    public static DataSource inside(DataSource dataSource) {
        return dataSource instanceof SchemaDataSource schema && schema.getTargetDataSource() != null
                ? schema.getTargetDataSource()
                : dataSource;
    }
}
