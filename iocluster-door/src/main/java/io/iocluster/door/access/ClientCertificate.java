package io.iocluster.door.access;

import java.security.cert.X509Certificate;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;
import javax.security.auth.x500.X500Principal;

/** Reads the name in the certificate of a caller. Stateless. */
final class ClientCertificate {

    private ClientCertificate() {}

    /** Returns the common name; empty if the certificate has none. */
    static String commonName(X509Certificate certificate) {
        String name = commonName(certificate.getSubjectX500Principal());
        return name == null ? "" : name;
    }

    /** Returns the most specific common name: for {@code CN=shop,CN=Users,DC=example} it is {@code shop}. */
    static String commonName(X500Principal subject) {
        try {
            String found = null;
            // The most specific part is the last one.
            for (Rdn each : new LdapName(subject.getName()).getRdns()) {
                if (each.getType().equalsIgnoreCase("CN")) {
                    found = String.valueOf(each.getValue());
                }
            }
            return found;
        } catch (InvalidNameException none) {
            return null;
        }
    }
}
