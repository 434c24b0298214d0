package io.idem.jdbc.autoconfigure;

import java.util.regex.Pattern;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.origin.PropertySourceOrigin;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/**
 * The environment variables that Kubernetes sets in every pod for each service of its namespace. For a service named {@code idem-redis} their names look like settings below {@code idem.redis}.
 */
final class ServiceLinks {

    private static final Pattern NAMES = Pattern.compile(
            ".+_(SERVICE_HOST|SERVICE_PORT(_[A-Z0-9_]+)?|PORT_[0-9]+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)");

    private static final Pattern PORT = Pattern.compile(".+_PORT");

    private static final Pattern ADDRESS = Pattern.compile("(tcp|udp|sctp)://.+");

    private ServiceLinks() {}

    /**
     * Returns whether a property is an environment variable with the name of such a variable. A name that ends with
     * {@code _PORT} also needs the value of one, an address such as {@code tcp://10.0.0.1:6379}.
     */
    static boolean contain(ConfigurationPropertySource source, ConfigurationPropertyName name) {
        ConfigurationProperty property = source.getConfigurationProperty(name);
        return property != null
                && property.getOrigin() instanceof PropertySourceOrigin origin
                && origin.getPropertySource() instanceof SystemEnvironmentPropertySource
                && isLink(origin.getPropertyName(), String.valueOf(property.getValue()));
    }

    private static boolean isLink(String variable, String value) {
        return NAMES.matcher(variable).matches()
                || (PORT.matcher(variable).matches() && ADDRESS.matcher(value).matches());
    }
}
