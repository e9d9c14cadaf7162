package io.iocluster.egress;

import io.iocluster.message.ErrorCode;
import io.iocluster.message.Header;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Checks calls before anything is sent or resolved. Thread-safe; immutable except for a bounded cache of origins.
 * {@link io.iocluster.http.dns.CheckedAddressResolverGroup} checks later each address that a name resolves to.
 *
 * <p>An ambiguous URL or header is rejected in every mode; the mode only decides where calls may go
 * (docs/adr/0009-egress-modes-relax-destinations-only.md).
 */
public final class EgressPolicy {

    private static final int CACHE_SIZE = 1_024;
    /** Maximum length of a cached origin in characters, enough for the longest host in any spelling. */
    private static final int MAX_CACHED_LENGTH = 512;

    private final EgressMode mode;
    private final EgressViolationListener violations;
    private final ResolvedAddressCache resolvedAddresses;
    private final Set<String> schemes;
    private final Set<Integer> ports;
    private final HostPatterns denyHosts;
    private final HostPatterns allowHosts;
    private final AddressPolicy addresses;
    private final RequestRules requests;
    private final long maxUrlLength;
    private final ConcurrentHashMap<String, CheckedOrigin> cache = new ConcurrentHashMap<>();

    /** The parsed origin of a URL, and every reason why calls to it are forbidden. */
    private record CheckedOrigin(UrlCheckResult parsed, List<Rejection> forbidden) {}

    /** Creates a policy without a listener. */
    public EgressPolicy(EgressSettings settings) {
        this(settings, EgressViolationListener.NONE);
    }

    public EgressPolicy(EgressSettings settings, EgressViolationListener violations) {
        this(settings, violations, new ResolvedAddressCache());
    }

    EgressPolicy(EgressSettings settings, EgressViolationListener violations, ResolvedAddressCache resolvedAddresses) {
        this.resolvedAddresses = resolvedAddresses;
        this.mode = settings.mode();
        this.violations = violations;
        this.schemes = Set.copyOf(settings.schemes());
        this.ports = Set.copyOf(settings.ports());
        this.denyHosts = new HostPatterns(settings.denyHosts());
        this.allowHosts = new HostPatterns(settings.allowHosts());
        this.addresses = settings.addressPolicy();
        this.requests = new RequestRules(
                settings.maxHeaders(), settings.maxHeaderBytes().bytes());
        this.maxUrlLength = settings.maxUrl().bytes();
    }

    /** Parses a URL and checks whether it may be called. */
    public UrlCheckResult checkUrl(String url) {
        if (url.length() > maxUrlLength) {
            return new Rejection(ErrorCode.INVALID_URL, "the URL is longer than " + maxUrlLength + " characters");
        }
        int end = UrlParser.originEnd(url);
        if (end < 0) {
            return UrlParser.rejectRelative(url);
        }
        CheckedOrigin origin = origin(url.substring(0, end));
        if (!(origin.parsed() instanceof TargetUrl target)) {
            return origin.parsed();
        }
        for (Rejection rejection : origin.forbidden()) {
            if (mode == EgressMode.ENFORCE) {
                return rejection;
            }
            violations.onViolation(rejection, target.destination());
        }
        return UrlParser.parsePath(target.origin(), url, end);
    }

    /** Returns why a call with this method and these headers is rejected, or empty. */
    public Optional<Rejection> check(String method, List<Header> headers) {
        return requests.check(method, headers);
    }

    /** Returns why this origin may not be called, or empty. Does not call the listener. */
    public Optional<Rejection> check(Origin origin) {
        return mode == EgressMode.ENFORCE ? forbidden(origin).stream().findFirst() : Optional.empty();
    }

    /**
     * Returns why no attempt may connect to an upstream that DNS or Consul named, or empty. The hosts of {@code allow-hosts} are those of URLs,
     * so they do not limit upstreams. In report mode, calls the listener.
     *
     * @param host in canonical form
     * @param allowedPorts ports that are allowed instead of those of {@code egress.ports}, if there are any
     */
    public Optional<Rejection> checkUpstream(String host, int port, PortRanges allowedPorts) {
        if (mode == EgressMode.OPEN) {
            return Optional.empty();
        }
        List<Rejection> reasons = new ArrayList<>();
        if (allowedPorts.isEmpty() ? !allowsPort(port) : !allowedPorts.contains(port)) {
            reasons.add(new Rejection(
                    ErrorCode.PORT_NOT_ALLOWED,
                    "port " + port + " is not allowed; see upstreams.ports and egress.ports"));
        }
        if (denyHosts.matches(host)) {
            reasons.add(forbiddenHost(host, "deny-hosts"));
        }
        addIfForbiddenAddress(host, reasons);
        if (mode == EgressMode.ENFORCE) {
            return reasons.stream().findFirst();
        }
        reasons.forEach(each -> violations.onViolation(each, Origin.bracketed(host) + ":" + port));
        return Optional.empty();
    }

    /** Returns whether the host may be called at these resolved addresses. */
    public boolean allows(String host, List<InetSocketAddress> resolved) {
        boolean allowed = isAllowed(host, resolved);
        if (allowed) {
            resolvedAddresses.put(host, resolved);
        }
        return allowed;
    }

    private boolean isAllowed(String host, List<InetSocketAddress> resolved) {
        if (mode == EgressMode.OPEN) {
            return true;
        }
        for (InetSocketAddress address : resolved) {
            if (!addresses.allows(address.getAddress())) {
                reportAddress(host, address.getPort());
                return mode == EgressMode.REPORT;
            }
        }
        return true;
    }

    /** Skips an address from the URL itself, because {@link #checkUrl} has reported it. */
    private void reportAddress(String host, int port) {
        if (mode == EgressMode.REPORT && HostName.parseAddress(host) == null) {
            violations.onViolation(
                    new Rejection(ErrorCode.ADDRESS_NOT_ALLOWED, AddressNotAllowedException.message(host)),
                    host + ":" + port);
        }
    }

    private CheckedOrigin origin(String text) {
        CheckedOrigin known = cache.get(text);
        if (known != null) {
            return known;
        }
        UrlCheckResult parsed = UrlParser.parseOrigin(text);
        boolean checked = parsed instanceof TargetUrl && mode != EgressMode.OPEN;
        CheckedOrigin origin =
                new CheckedOrigin(parsed, checked ? forbidden(((TargetUrl) parsed).origin()) : List.of());
        addToCache(text, origin);
        return origin;
    }

    /**
     * Returns all reasons, because an operator who tries a policy wants to see everything that it would have to allow.
     */
    private List<Rejection> forbidden(Origin origin) {
        List<Rejection> reasons = new ArrayList<>();
        if (!schemes.contains(origin.scheme())) {
            reasons.add(new Rejection(
                    ErrorCode.SCHEME_NOT_ALLOWED, "scheme " + origin.scheme() + " is not allowed; see egress.schemes"));
        }
        if (!allowsPort(origin.port())) {
            reasons.add(new Rejection(
                    ErrorCode.PORT_NOT_ALLOWED, "port " + origin.port() + " is not allowed; see egress.ports"));
        }
        if (denyHosts.matches(origin.host())) {
            reasons.add(forbiddenHost(origin.host(), "deny-hosts"));
        } else if (!allowHosts.isEmpty() && !allowHosts.matches(origin.host())) {
            reasons.add(forbiddenHost(origin.host(), "allow-hosts"));
        }
        addIfForbiddenAddress(origin.host(), reasons);
        return List.copyOf(reasons);
    }

    private boolean allowsPort(int port) {
        return ports.isEmpty() || ports.contains(port);
    }

    private static Rejection forbiddenHost(String host, String key) {
        return new Rejection(ErrorCode.HOST_NOT_ALLOWED, "host " + host + " is not allowed; see egress." + key);
    }

    private void addIfForbiddenAddress(String host, List<Rejection> reasons) {
        InetAddress literal = HostName.parseAddress(host);
        if (literal != null && !addresses.allows(literal)) {
            reasons.add(new Rejection(
                    ErrorCode.ADDRESS_NOT_ALLOWED, "address " + host + " is not allowed; see egress.allow-networks"));
        }
    }

    /** Clears the cache when it is full, so that a sender with ever new origins cannot fill the node's memory. */
    private void addToCache(String text, CheckedOrigin origin) {
        if (text.length() > MAX_CACHED_LENGTH) {
            return;
        }
        if (cache.size() >= CACHE_SIZE) {
            cache.clear();
        }
        cache.put(text, origin);
    }
}
