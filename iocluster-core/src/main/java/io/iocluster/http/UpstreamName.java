package io.iocluster.http;

/** A name in DNS whose records are upstreams. Immutable. */
public sealed interface UpstreamName {

    /**
     * A host: each of its addresses is an upstream.
     *
     * @param address name and port of all of them
     */
    record Host(UpstreamAddress address) implements UpstreamName {

        @Override
        public String toString() {
            return address.toString();
        }
    }

    /**
     * A service: each of its SRV records with the lowest priority is an upstream.
     *
     * @param name such as {@code _https._tcp.partner.example}
     */
    record Service(String name) implements UpstreamName {

        @Override
        public String toString() {
            return name;
        }
    }
}
