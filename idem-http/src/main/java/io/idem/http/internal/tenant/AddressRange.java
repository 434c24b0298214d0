package io.idem.http.internal.tenant;

import static io.idem.internal.value.Arguments.require;

import java.math.BigInteger;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.regex.Pattern;

/**
 * A range of IP addresses that begin with the same bits. Never asks a name server. Immutable.
 *
 * @param length number of the bytes of an address
 * @param bits number of the bits that are the same
 * @param prefix those bits
 */
record AddressRange(int length, int bits, BigInteger prefix) {

    private static final Pattern V4 = Pattern.compile("[0-9]{1,3}(\\.[0-9]{1,3}){3}");
    private static final Pattern V6 = Pattern.compile("[0-9a-fA-F:.]*:[0-9a-fA-F:.]*");

    /**
     * Parses an address or a range as in {@code 10.0.0.0/8}.
     *
     * @throws IllegalArgumentException if the text is neither
     */
    static AddressRange parse(String text) {
        int slash = text.indexOf('/');
        byte[] address =
                bytes(slash < 0 ? text.strip() : text.substring(0, slash).strip());
        int all = address.length * Byte.SIZE;
        int bits = slash < 0 ? all : number(text.substring(slash + 1));
        require(
                address.length > 0 && bits >= 0 && bits <= all,
                "\"" + text + "\" is no address; name proxies as 10.1.2.3, 10.0.0.0/8 or fd00::/8");
        return new AddressRange(address.length, bits, prefix(address, bits));
    }

    boolean includes(String address) {
        int zone = address.indexOf('%');
        byte[] other = bytes(zone < 0 ? address : address.substring(0, zone));
        return other.length == length && prefix(other, bits).equals(prefix);
    }

    private static BigInteger prefix(byte[] address, int bits) {
        return new BigInteger(1, address).shiftRight(address.length * Byte.SIZE - bits);
    }

    /** Returns the bytes of an address; empty if the text is no address. An IPv4 address in IPv6 form is an IPv4 address. */
    private static byte[] bytes(String text) {
        if (!V4.matcher(text).matches() && !V6.matcher(text).matches()) {
            return new byte[0];
        }
        try {
            return InetAddress.getByName(text).getAddress();
        } catch (UnknownHostException notAnAddress) {
            return new byte[0];
        }
    }

    private static int number(String text) {
        return text.matches("[0-9]{1,3}") ? Integer.parseInt(text) : -1;
    }
}
