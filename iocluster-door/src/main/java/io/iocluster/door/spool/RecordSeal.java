package io.iocluster.door.spool;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.zip.CRC32C;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Protects each record against changes, together with its position: with AES-256-GCM if there is a key, otherwise with a CRC-32C.
 * Confined to one thread.
 */
final class RecordSeal {

    static final int SALT_BYTES = 16;

    private static final int CHECKSUM_BYTES = 4;
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;
    private static final int KEY_BITS = 256;
    /** About 0.1 s at the start. The key should be random, so that this hardly matters. */
    private static final int ITERATIONS = 100_000;

    /** Null without encryption. */
    private final SecretKey key;

    private final SecureRandom random = new SecureRandom();

    private RecordSeal(SecretKey key) {
        this.key = key;
    }

    /**
     * Creates a seal.
     *
     * @param key the configured key; empty for none
     * @param salt random bytes of the database
     */
    static RecordSeal of(String key, byte[] salt) {
        if (key.isEmpty()) {
            return new RecordSeal(null);
        }
        try {
            byte[] derived = SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256")
                    .generateSecret(new PBEKeySpec(key.toCharArray(), salt, ITERATIONS, KEY_BITS))
                    .getEncoded();
            return new RecordSeal(new SecretKeySpec(derived, "AES"));
        } catch (GeneralSecurityException missing) {
            throw new IllegalStateException(missing);
        }
    }

    /** Returns the protected record. */
    byte[] seal(long position, byte[] record) {
        if (key == null) {
            return ByteBuffer.allocate(CHECKSUM_BYTES + record.length)
                    .putInt(checksum(position, record, 0))
                    .put(record)
                    .array();
        }
        byte[] nonce = new byte[NONCE_BYTES];
        random.nextBytes(nonce);
        try {
            Cipher cipher = cipher(Cipher.ENCRYPT_MODE, nonce, position);
            byte[] sealed = Arrays.copyOf(nonce, NONCE_BYTES + cipher.getOutputSize(record.length));
            cipher.doFinal(record, 0, record.length, sealed, NONCE_BYTES);
            return sealed;
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /**
     * Returns the record.
     *
     * @throws IOException if it was changed, or sealed with another key
     */
    byte[] open(long position, byte[] sealed) throws IOException {
        if (key != null) {
            return decrypt(position, sealed);
        }
        if (sealed.length < CHECKSUM_BYTES
                || ByteBuffer.wrap(sealed).getInt() != checksum(position, sealed, CHECKSUM_BYTES)) {
            throw new IOException("the checksum does not match");
        }
        return Arrays.copyOfRange(sealed, CHECKSUM_BYTES, sealed.length);
    }

    private byte[] decrypt(long position, byte[] sealed) throws IOException {
        if (sealed.length < NONCE_BYTES) {
            throw new IOException("the record is too short");
        }
        try {
            return cipher(Cipher.DECRYPT_MODE, Arrays.copyOf(sealed, NONCE_BYTES), position)
                    .doFinal(sealed, NONCE_BYTES, sealed.length - NONCE_BYTES);
        } catch (GeneralSecurityException changed) {
            throw new IOException("the record cannot be decrypted", changed);
        }
    }

    private Cipher cipher(int mode, byte[] nonce, long position) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, nonce));
        cipher.updateAAD(ByteBuffer.allocate(Long.BYTES).putLong(position).flip());
        return cipher;
    }

    private static int checksum(long position, byte[] record, int offset) {
        CRC32C checksum = new CRC32C();
        checksum.update(ByteBuffer.allocate(Long.BYTES).putLong(position).flip());
        checksum.update(record, offset, record.length - offset);
        return (int) checksum.getValue();
    }
}
