package io.idem.servers;

/** An AMQP 0-9-1 broker that accepts clients. */
public final class RunningAmqp extends RunningServer {

    /** Which broker it is: they disagree on queue arguments, see {@link io.idem.servers.qpid.QpidDeclarations}. */
    public enum Flavour {
        /** Apache Qpid Broker-J. */
        QPID,
        /** RabbitMQ. */
        RABBITMQ
    }

    private final AmqpAddress address;
    private final AmqpProduct product;

    RunningAmqp(AmqpAddress address, AmqpProduct product, Origin origin, Lifecycle lifecycle) {
        super(origin, lifecycle);
        this.address = address;
        this.product = product;
    }

    /** Its host name or address. */
    public String host() {
        return address.host();
    }

    /** Its TCP port. */
    public int port() {
        return address.port();
    }

    /** A user who may declare, publish and consume. */
    public String username() {
        return address.username();
    }

    /** That user's password. */
    public String password() {
        return address.password();
    }

    /** The virtual host to use. */
    public String virtualHost() {
        return address.virtualHost();
    }

    /** {@code amqp://user:password@host:port/virtual-host}, with percent-encoding. */
    public String uri() {
        return address.uri();
    }

    /** Which broker it is. */
    public Flavour flavour() {
        return product.flavour();
    }

    /** Whether its version is the given one or newer. */
    boolean atLeast(int major, int minor) {
        return product.atLeast(major, minor);
    }

    @Override
    public String description() {
        return product.name() + " " + product.version() + " at " + host() + ":" + port();
    }
}
