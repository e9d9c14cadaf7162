package io.iocluster.door.server;

import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;

/** Reads the verified certificate of a caller. Stateless. */
final class ClientCertificate {

    private ClientCertificate() {}

    /** Returns the common name; null if there is no session or no certificate, or if it has no common name. */
    static String commonName(SSLSession session) {
        if (session == null) {
            return null;
        }
        try {
            Certificate[] chain = session.getPeerCertificates();
            if (chain.length == 0 || !(chain[0] instanceof X509Certificate certificate)) {
                return null;
            }
            LdapName subject =
                    new LdapName(certificate.getSubjectX500Principal().getName());
            for (Rdn each : subject.getRdns()) {
                if (each.getType().equalsIgnoreCase("CN")) {
                    return String.valueOf(each.getValue());
                }
            }
            return null;
        } catch (SSLPeerUnverifiedException | InvalidNameException none) {
            return null;
        }
    }
}
