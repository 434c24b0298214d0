package io.idem.servers;

/** An AMQP 0-9-1 broker that accepts clients. */
public final class RunningAmqp extends RunningServer {

    /**
     * The broker product. The products differ in queue arguments, see {@link io.idem.servers.qpid.QpidDeclarations}.
     */
    public enum Flavour {
        QPID,
        RABBITMQ
    }

    private final AmqpAddress address;
    private final AmqpProduct product;

    RunningAmqp(AmqpAddress address, AmqpProduct product, Origin origin, Lifecycle lifecycle) {
        super(origin, lifecycle);
        this.address = address;
        this.product = product;
    }

    /** Returns the host name or address. */
    public String host() {
        return address.host();
    }

    public int port() {
        return address.port();
    }

    /** Returns a user who may declare, publish and consume. */
    public String username() {
        return address.username();
    }

    public String password() {
        return address.password();
    }

    public String virtualHost() {
        return address.virtualHost();
    }

    /** Returns {@code amqp://user:password@host:port/virtual-host}, with percent-encoding. */
    public String uri() {
        return address.uri();
    }

    public Flavour flavour() {
        return product.flavour();
    }

    /** Returns whether the version is the given one or newer. */
    boolean atLeast(int major, int minor) {
        return product.atLeast(major, minor);
    }

    @Override
    public String description() {
        return product.name() + " " + product.version() + " at " + host() + ":" + port();
    }
}
