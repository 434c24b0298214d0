package io.idem.jdbc.internal;

import io.idem.jdbc.InboxSchemaException;
import java.util.List;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;

/** Finds out the database behind a data source. */
public final class DatabaseProduct {

    private DatabaseProduct() {}

    public static String of(DataSource dataSource) {
        String product = new JdbcTemplate(dataSource).execute((ConnectionCallback<String>)
                connection -> connection.getMetaData().getDatabaseProductName());
        return String.valueOf(product);
    }

    /**
     * Returns the inbox's statements for the database; connects.
     *
     * @throws InboxSchemaException if the inbox does not support the database
     */
    public static InboxDialect dialect(DataSource dataSource) {
        String product = of(dataSource);
        List<InboxDialect> known = InboxDialect.ALL;
        return known.stream()
                .filter(dialect -> dialect.product().equals(product))
                .findFirst()
                .map(dialect -> dialect.with(TableNames.of(dataSource)))
                .orElseThrow(() -> new InboxSchemaException("The inbox needs "
                        + known.stream().map(InboxDialect::product).collect(Collectors.joining(" or "))
                        + ", and the data source leads to " + product));
    }
}
