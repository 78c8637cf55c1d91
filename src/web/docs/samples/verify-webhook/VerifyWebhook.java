// Receives webhooks at PORT, and prints the id of each event once. Set WEBHOOK_SECRET first.
import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Base64;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public class VerifyWebhook {
  static final byte[] KEY = Base64.getDecoder().decode(System.getenv("WEBHOOK_SECRET").replaceFirst("whsec_", ""));
  // Keep the ids in your database, with the result of the event.
  static final Set<String> SEEN = ConcurrentHashMap.newKeySet();

  static boolean isValid(String id, String timestamp, String signatures, byte[] body) throws Exception {
    if (id == null || signatures == null || timestamp == null || !timestamp.matches("[0-9]{1,12}")) return false;
    // Refuse an old delivery, so that nobody can record and repeat it.
    if (Math.abs(Instant.now().getEpochSecond() - Long.parseLong(timestamp)) > 300) return false;
    // The signature covers the bytes of the body as they arrived.
    var mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(KEY, "HmacSHA256"));
    mac.update((id + "." + timestamp + ".").getBytes(StandardCharsets.UTF_8));
    var expected = ("v1," + Base64.getEncoder().encodeToString(mac.doFinal(body))).getBytes(StandardCharsets.UTF_8);
    // There is one signature for each valid secret.
    for (var signature : signatures.split(" ")) {
      if (MessageDigest.isEqual(signature.getBytes(StandardCharsets.UTF_8), expected)) return true;
    }
    return false;
  }

  public static void main(String[] arguments) throws Exception {
    var port = Integer.parseInt(System.getenv("PORT"));
    var server = HttpServer.create(new InetSocketAddress("127.0.0.1", port), 0);
    server.createContext("/", exchange -> {
      var headers = exchange.getRequestHeaders();
      var id = headers.getFirst("webhook-id");
      int status = 400;
      try {
        var body = exchange.getRequestBody().readAllBytes();
        var timestamp = headers.getFirst("webhook-timestamp");
        if (isValid(id, timestamp, headers.getFirst("webhook-signature"), body)) status = 204;
      } catch (Exception failure) {
        status = 500;
      }
      // The same event can arrive twice.
      if (status == 204 && SEEN.add(id)) System.out.println(id);
      exchange.sendResponseHeaders(status, -1);
      exchange.close();
    });
    server.start();
  }
}
