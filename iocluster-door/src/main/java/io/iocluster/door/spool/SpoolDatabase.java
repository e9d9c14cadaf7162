package io.iocluster.door.spool;

import io.iocluster.door.spool.SpoolStore.Opened;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.sqlite.SQLiteDataSource;

/**
 * Opens, creates and checks the SQLite database of a spool. The process that has opened it holds an exclusive lock on it until it ends.
 * Stateless.
 */
final class SpoolDatabase {

    private static final int APPLICATION_ID = 0x494f4353;
    private static final int FORMAT = 1;
    private static final int PAGE_BYTES = 4_096;
    /** Maximum size of the log beside the database after a checkpoint. */
    private static final int MAX_LOG_BYTES = 8 << 20;
    /** Time for a door that stops to release the lock. */
    private static final int LOCK_TIMEOUT_MILLIS = 2_000;

    private static final byte[] KEY_CHECK = {1};
    private static final int BUSY = 5;
    private static final int CORRUPT = 11;
    private static final int FULL = 13;
    private static final int NOT_A_DATABASE = 26;

    private SpoolDatabase() {}

    /**
     * Opens or creates the database and checks it.
     *
     * @param key the configured key; empty for none
     * @param maxBytes maximum size of the database
     * @throws SpoolException if it is damaged, used by another process, or cannot be read with this key
     */
    static SpoolStore open(Path folder, String key, long maxBytes) throws SpoolException {
        return new SpoolStore(SpoolFolder.database(folder), openOrCreate(folder, key, maxBytes), () -> {
            // First the log, because a log without its database would be damage.
            Files.deleteIfExists(SpoolFolder.log(folder));
            Files.deleteIfExists(SpoolFolder.database(folder));
            return openOrCreate(folder, key, maxBytes);
        });
    }

    private static Opened openOrCreate(Path folder, String key, long maxBytes) throws SpoolException {
        Path database = SpoolFolder.database(folder);
        Connection connection = null;
        try {
            SpoolFolder.create(folder);
            if (!Files.exists(database)) {
                create(folder);
            }
            if (Files.size(database) == 0) {
                throw damaged(database, "it is empty", null);
            }
            connection = connect(database);
            return open(connection, database, key, maxBytes);
        } catch (SQLException failed) {
            close(connection);
            throw failure(database, failed);
        } catch (SpoolException failed) {
            close(connection);
            throw failed;
        } catch (IOException failed) {
            close(connection);
            throw new SpoolException("door.spool.folder: cannot use " + folder + ": " + failed, failed);
        }
    }

    private static Connection connect(Path database) throws SQLException {
        SQLiteDataSource source = new SQLiteDataSource();
        source.setUrl("jdbc:sqlite:" + database.toAbsolutePath());
        return source.getConnection();
    }

    private static void create(Path folder) throws IOException, SQLException {
        if (Files.exists(SpoolFolder.log(folder))) {
            throw damaged(SpoolFolder.database(folder), "it is missing, but its log exists", null);
        }
        Path file = SpoolFolder.createNew(folder);
        try (Connection connection = connect(file);
                Statement statement = connection.createStatement()) {
            statement.executeUpdate("PRAGMA page_size = " + PAGE_BYTES);
            statement.executeUpdate("PRAGMA synchronous = EXTRA");
            statement.executeUpdate("PRAGMA application_id = " + APPLICATION_ID);
            statement.executeUpdate("PRAGMA user_version = " + FORMAT);
            statement.executeUpdate("BEGIN");
            statement.executeUpdate("CREATE TABLE calls (position INTEGER PRIMARY KEY, record BLOB NOT NULL)");
            statement.executeUpdate("CREATE TABLE spool (salt BLOB NOT NULL, key_check BLOB, calls INTEGER NOT NULL)");
            statement.executeUpdate("INSERT INTO spool VALUES (randomblob(" + RecordSeal.SALT_BYTES + "), NULL, 0)");
            statement.executeUpdate("COMMIT");
        }
        SpoolFolder.publish(file, folder);
    }

    private static Opened open(Connection connection, Path database, String key, long maxBytes)
            throws SQLException, SpoolException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("PRAGMA busy_timeout = " + LOCK_TIMEOUT_MILLIS);
            // Before the first access, so that the log needs no shared memory.
            statement.execute("PRAGMA locking_mode = EXCLUSIVE");
            statement.execute("PRAGMA journal_mode = WAL");
            statement.execute("PRAGMA synchronous = FULL");
            statement.execute("PRAGMA journal_size_limit = " + MAX_LOG_BYTES);
            statement.execute("PRAGMA max_page_count = " + maxBytes / PAGE_BYTES);
            checkFormat(statement, database);
            return new Opened(connection, seal(connection, statement, database, key));
        }
    }

    private static void checkFormat(Statement statement, Path database) throws SQLException, SpoolException {
        if (number(statement, "PRAGMA application_id") != APPLICATION_ID) {
            throw damaged(database, "it is not a spool", null);
        }
        int format = number(statement, "PRAGMA user_version");
        if (format != FORMAT) {
            throw damaged(database, "this version does not support its format " + format, null);
        }
        try (ResultSet check = statement.executeQuery("PRAGMA quick_check(1)")) {
            String problem = check.next() ? check.getString(1) : "the check has no result";
            if (!problem.equals("ok")) {
                throw damaged(database, problem.replace('\n', ' '), null);
            }
        }
        int calls = number(statement, "SELECT count(*) FROM calls");
        int expected = number(statement, "SELECT calls FROM spool");
        if (calls != expected) {
            throw damaged(database, "it has " + calls + " calls instead of " + expected, null);
        }
    }

    private static int number(Statement statement, String query) throws SQLException {
        try (ResultSet result = statement.executeQuery(query)) {
            return result.next() ? result.getInt(1) : -1;
        }
    }

    /** Returns the seal of the records. An empty spool accepts another key. */
    private static RecordSeal seal(Connection connection, Statement statement, Path database, String key)
            throws SQLException, SpoolException {
        byte[] salt;
        byte[] keyCheck;
        boolean empty;
        try (ResultSet row = statement.executeQuery("SELECT salt, key_check, calls FROM spool")) {
            row.next();
            salt = row.getBytes(1);
            keyCheck = row.getBytes(2);
            empty = row.getInt(3) == 0;
        }
        if (empty) {
            salt = new byte[RecordSeal.SALT_BYTES];
            new SecureRandom().nextBytes(salt);
        }
        RecordSeal seal = RecordSeal.of(key, salt);
        if (empty) {
            try (PreparedStatement update = connection.prepareStatement("UPDATE spool SET salt = ?, key_check = ?")) {
                update.setBytes(1, salt);
                update.setBytes(2, key.isEmpty() ? null : seal.seal(0, KEY_CHECK));
                update.executeUpdate();
            }
        } else {
            checkKey(database, key, keyCheck, seal);
        }
        return seal;
    }

    private static void checkKey(Path database, String key, byte[] keyCheck, RecordSeal seal) throws SpoolException {
        String remedy = "; start once with the old value, and change it when the spool is empty: " + database;
        if (keyCheck == null) {
            if (!key.isEmpty()) {
                throw new SpoolException("door.spool.key: the stored calls are not encrypted" + remedy, null);
            }
            return;
        }
        if (key.isEmpty()) {
            throw new SpoolException("door.spool.key: is missing, but the stored calls are encrypted" + remedy, null);
        }
        try {
            seal.open(0, keyCheck);
        } catch (IOException wrong) {
            throw new SpoolException("door.spool.key: is not the key of the stored calls" + remedy, wrong);
        }
    }

    /** Returns whether the error means that the database is damaged, so that another attempt fails too. */
    static boolean isDamage(SQLException failed) {
        int code = failed.getErrorCode() & 0xff;
        return code == CORRUPT || code == NOT_A_DATABASE;
    }

    /** Returns whether the error means that the disk or the database is full. */
    static boolean isFull(SQLException failed) {
        return (failed.getErrorCode() & 0xff) == FULL;
    }

    /** Returns the problem of a database for operators. */
    static SpoolException failure(Path database, SQLException failed) {
        return switch (failed.getErrorCode() & 0xff) {
            case BUSY ->
                new SpoolException(
                        "door.spool.folder: another process uses " + database + "; give each door its own folder",
                        failed);
            case CORRUPT, NOT_A_DATABASE -> damaged(database, failed.getMessage(), failed);
            default ->
                new SpoolException("door.spool.folder: cannot use " + database + ": " + failed.getMessage(), failed);
        };
    }

    /** Returns the problem of a damaged database for operators. */
    static SpoolException damaged(Path database, String problem, Exception cause) {
        return new SpoolException(
                "door.spool.folder: " + database + " is damaged: " + problem
                        + "; move the folder away to start without its calls, and see docs/door.md#a-damaged-spool",
                cause);
    }

    static void close(Connection connection) {
        try {
            if (connection != null) {
                connection.close();
            }
        } catch (SQLException alreadyClosed) {
            // Closing releases the lock in any case.
        }
    }
}
