package io.idem.jdbc;

import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/**
 * A data source with the name of the schema (on MariaDB: of the database) in which the tables of idem are. Whatever this package
 * makes of it puts the name before that of each table; without it the tables are found by the search path of the connection.
 * Transaction managers are given the data source inside. Thread-safe.
 */
public final class SchemaDataSource extends DelegatingDataSource {

    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,62}");

    private final String schema;

    /**
     * A data source whose connections are those of the given one.
     *
     * @param schema not quoted in statements, so PostgreSQL reads it in lower case; must exist, idem creates no schemas
     * @throws IllegalArgumentException if the name is anything but letters, digits and underscores
     */
    public SchemaDataSource(DataSource dataSource, String schema) {
        super(dataSource);
        if (!NAME.matcher(schema).matches()) {
            throw new IllegalArgumentException(
                    "The schema \"" + schema + "\" is not a name of at most 63 letters, digits and underscores");
        }
        this.schema = schema;
    }

    public String schema() {
        return schema;
    }

    /** The data source by which transactions are bound to their threads. */
    public static DataSource inside(DataSource dataSource) {
        return dataSource instanceof SchemaDataSource schema && schema.getTargetDataSource() != null
                ? schema.getTargetDataSource()
                : dataSource;
    }
}
